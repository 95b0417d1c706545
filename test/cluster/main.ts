import { readFileSync } from "node:fs";
import { join } from "node:path";
import { daemonNames, pidOf } from "./daemons.ts";
import { down } from "./down.ts";
import { exitWith } from "./exit.ts";
import { kubectl, kubectlHere } from "./kubectl.ts";
import { name, places } from "./places.ts";
import { buildPrograms } from "./programs.ts";
import { up } from "./up.ts";

const help = `npm run cluster -- COMMAND

  build                 build the cluster's programs into the cache (about 14 minutes once; Linux, Go)
  up [--control-plane]  start Kubernetes with a node and Knative, or only the API server, its controllers and the
                        event sources, which post to http://127.0.0.1:8090 and :8091 in there (Linux, root)
  down                  take everything away again, whatever state it is in
  status                what runs, and the kubeconfig
  kubectl ARGS…         kubectl on this cluster
  logs [PROGRAM]        the log of one of its programs (etcd, kube-apiserver, kubelet, …)
`;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function status(): Promise<number> {
  const names = daemonNames();
  if (names.length === 0) {
    say("no test cluster is up: npm run cluster -- up");
    return 1;
  }
  for (const each of names)
    say(
      `${each.padEnd(24)} ${pidOf(each) === undefined ? "has ended: npm run cluster -- logs " + each : `runs as ${pidOf(each)}`}`,
    );
  say(
    `KUBECONFIG=${places.kubeconfig} (inside the network namespace: nsenter --net=/run/netns/${name} …)`,
  );
  say(await kubectl("get", "deployments", "--all-namespaces"));
  return names.every((each) => pidOf(each) !== undefined) ? 0 : 1;
}

function logs(program: string | undefined): number {
  if (program === undefined || !/^[\w-]+$/.test(program)) {
    say(`logs of: ${daemonNames().join(", ")}`);
    return 0;
  }
  process.stdout.write(readFileSync(join(places.logs, `${program}.log`), "utf8"));
  return 0;
}

async function main(command: string | undefined, args: readonly string[]): Promise<number> {
  if (command === "build") {
    say(`${await buildPrograms("node", say)} programs built into ${places.cache}`);
    return 0;
  }
  if (command === "up") {
    await up(args.includes("--control-plane") ? "control-plane" : "node", say);
    return 0;
  }
  if (command === "down") {
    await down(say);
    return 0;
  }
  if (command === "status") return await status();
  if (command === "kubectl") return await kubectlHere(args);
  if (command === "logs") return logs(args[0]);
  process.stdout.write(help);
  return command === undefined || command === "help" || command === "--help" ? 0 : 1;
}

await exitWith(main(process.argv[2], process.argv.slice(3)));

import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import type { APIMock } from "../../lib/apimock.ts";
import type { KubeObject } from "../../lib/cluster/cluster.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import { readManifests } from "../../cli/manifest.ts";
import { startApiServer } from "../support/api-server.ts";
import { apirator } from "../support/command-line.ts";
import { apiratorHere } from "../support/command.ts";
import { testCluster } from "../support/memory.ts";

const request = "test/fixtures/events/request.json";
const bets = { namespace: "default", name: "bets" };

/** A cluster behind HTTPS with the APIMock bets, and what is installed in it beside. */
async function cluster(...installed: unknown[]) {
  const memory = testCluster();
  const user = memory.as("kubectl");
  const server = await startApiServer((manager) => memory.as(manager));
  onTestFinished(() => server.close());
  const file = "examples/bets.yaml";
  const [manifest] = readManifests(readFileSync(file, "utf8"), file).manifests;
  await user.apply(manifest!.object);
  for (const object of installed) await user.apply(object as never);
  return { user, server, KUBECONFIG: server.kubeconfig() };
}

const operator: unknown = parse(`
apiVersion: serving.knative.dev/v1
kind: Service
metadata: {name: reconcile, namespace: apirator-system}
spec:
  template:
    spec:
      containers:
        - image: registry.example/apirator@sha256:aa
          env: [{name: MOCK_IMAGE, value: registry.example/apirator@sha256:bb}]
`);

test("--cluster reconciles the real mock, with the image that the installed operator gives", async () => {
  const { user, server, KUBECONFIG } = await cluster(operator);
  const args = ["replay", request, "--cluster", "--yes"];
  const first = await apirator(args, "", { KUBECONFIG });
  expect(first).toMatchObject({ code: 0, err: `context test, API server ${server.url}\n` });
  expect(first.out).toMatch(
    /^1 +ref\.add +default\/bets +done +ConfigMap bets-[0-9a-f]{10}, KService bets, status$/m,
  );
  const kservice = JSON.stringify(await user.get(kinds.kservice, bets));
  expect(kservice).toContain('"image":"registry.example/apirator@sha256:bb"');
  const mock = (await user.get(kinds.apimock, bets)) as APIMock;
  expect(mock.status?.phase).toBe("Pending");
  const second = await apirator(args, "", { KUBECONFIG });
  expect(second.out).toMatch(/^1 +ref\.add +default\/bets +done +nothing$/m);
});

test("--cluster without an installed operator asks for the image, and sends nothing", async () => {
  const { user, KUBECONFIG } = await cluster();
  const { code, out, err } = await apiratorHere(["replay", request, "--cluster", "--yes"], "", {
    KUBECONFIG,
  });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/\napirator: no operator is installed in apirator-system [^\n]*--image\n$/);
  expect(await user.get(kinds.kservice, bets)).toBeUndefined();
});

test("--image says what mocks run", async () => {
  const { user, KUBECONFIG } = await cluster();
  const { code } = await apiratorHere(
    ["replay", request, "--cluster", "--yes", "--image", "apirator:2"],
    "",
    { KUBECONFIG },
  );
  expect(code).toBe(0);
  expect(JSON.stringify(await user.get(kinds.kservice, bets))).toContain('"image":"apirator:2"');
});

test("--cluster says where the installed operator is another version", async () => {
  const { user, server, KUBECONFIG } = await cluster(operator);
  const args = ["replay", request, "--cluster", "--yes"];
  const { err } = await apirator(args, "", { KUBECONFIG });
  expect(err).toBe(`context test, API server ${server.url}\n`);
  const mock = (await user.get(kinds.apimock, bets)) as unknown as KubeObject;
  const status = { ...(mock["status"] as object), build: "0123456789abcdef" };
  await user.applyStatus({ ...mock, status });
  const other = await apirator(args, "", { KUBECONFIG });
  expect(other.err).toMatch(/\nthe installed operator is another version [^\n]+\n$/);
});

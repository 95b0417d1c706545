import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { places } from "./places.ts";
import { run, type Say } from "./run.ts";

/** The image that the Dockerfile is built upon here: nothing can be pulled, so `node:24-slim` is put together from Debian and the pinned Node. */
const nodeImage = "localhost/node:24-slim";

/** What buildah is run with: storage below the state folder, no container engine, the cluster's registry over plain HTTP. */
export function buildahEnvironment(): Record<string, string> {
  mkdirSync(places.buildah, { recursive: true });
  const storage = join(places.buildah, "storage.conf");
  const registries = join(places.buildah, "registries.conf");
  const [root, runRoot] = [join(places.buildah, "root"), join(places.state, "buildah")];
  writeFileSync(
    storage,
    `[storage]\ndriver = "overlay"\ngraphroot = "${root}"\nrunroot = "${runRoot}"\n`,
  );
  writeFileSync(registries, '[[registry]]\nlocation = "localhost:5000"\ninsecure = true\n');
  return {
    BUILDAH_ISOLATION: "chroot",
    CONTAINERS_STORAGE_CONF: storage,
    CONTAINERS_REGISTRIES_CONF: registries,
    NODE_IMAGE: nodeImage,
  };
}

/** Makes the base image in buildah's storage, from a root file system that stays in the cache; what is there stays. */
export async function makeBaseImage(say: Say): Promise<void> {
  const env = buildahEnvironment();
  const there = await run("buildah", ["images", "--quiet", nodeImage], { env }).catch(() => "");
  if (there.trim() !== "") return;
  const folder = join(places.cache, "base-image");
  mkdirSync(folder, { recursive: true });
  const rootfs = join(folder, "bookworm.tar");
  if (!existsSync(rootfs)) {
    say("base image: Debian");
    await run("mmdebstrap", [
      "--variant=minbase",
      "--include=libstdc++6,ca-certificates",
      "bookworm",
      `${rootfs}.draft.tar`,
    ]);
    renameSync(`${rootfs}.draft.tar`, rootfs);
  }
  const context = join(places.buildah, "context");
  rmSync(context, { recursive: true, force: true });
  mkdirSync(context, { recursive: true });
  copyFileSync(rootfs, join(context, "rootfs.tar"));
  const { resolve } = createRequire(import.meta.url);
  const architecture = process.arch === "arm64" ? "arm64" : "x64";
  copyFileSync(
    join(dirname(resolve(`node-linux-${architecture}/package.json`)), "bin", "node"),
    join(context, "node"),
  );
  const npm = join((await run("npm", ["root", "--global"])).trim(), "npm");
  cpSync(npm, join(context, "npm"), { recursive: true, dereference: true });
  // What this machine trusts, so that `npm ci` in the build gets through where it does outside.
  copyFileSync("/etc/ssl/certs/ca-certificates.crt", join(context, "ca-certificates.crt"));
  writeFileSync(
    join(context, "Dockerfile"),
    `FROM scratch
ADD rootfs.tar /
COPY ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
COPY npm /usr/local/lib/node_modules/npm
COPY node /usr/local/bin/node
RUN chmod 755 /usr/local/bin/node && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
`,
  );
  await run("buildah", ["build", "--quiet", "--tag", nodeImage, context], { env });
  rmSync(context, { recursive: true });
}

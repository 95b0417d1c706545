import { existsSync } from "node:fs";
import { run, type Say } from "./run.ts";

/** Debian packages of the node and of the image build, each with a file that shows that it is there. */
const packages: Readonly<Record<string, string>> = {
  iproute2: "/usr/sbin/ip",
  openssl: "/usr/bin/openssl",
  containerd: "/usr/bin/containerd",
  runc: "/usr/sbin/runc",
  "containernetworking-plugins": "/usr/lib/cni/bridge",
  nftables: "/usr/sbin/nft",
  conntrack: "/usr/sbin/conntrack",
  buildah: "/usr/bin/buildah",
  mmdebstrap: "/usr/bin/mmdebstrap",
};

/** Installs what is missing of the Debian packages. Throws with the remedy where this is no Debian. */
export async function installPackages(say: Say): Promise<void> {
  const missing = Object.keys(packages).filter((each) => !existsSync(packages[each] ?? ""));
  if (missing.length === 0) return;
  say(`install ${missing.join(", ")}`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  try {
    await run("apt-get", ["update", "-qq"], { env });
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...missing], { env });
  } catch (error) {
    throw new Error(
      `${missing.join(", ")} could not be installed by apt-get; install them by hand`,
      { cause: error },
    );
  }
}

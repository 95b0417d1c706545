import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addresses, name, places } from "./places.ts";
import { run } from "./run.ts";

interface Certificate {
  readonly file: string;
  /** The subject as openssl writes it. */
  readonly subject: string;
  readonly names?: string;
}

const certificates: readonly Certificate[] = [
  {
    file: "apiserver",
    subject: "/CN=kube-apiserver",
    names: `IP:127.0.0.1,IP:${addresses.kubernetes},IP:${addresses.node},DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc`,
  },
  { file: "admin", subject: "/O=system:masters/CN=admin" },
  { file: "controller-manager", subject: "/CN=system:kube-controller-manager" },
  { file: "scheduler", subject: "/CN=system:kube-scheduler" },
  { file: "proxy", subject: "/CN=system:kube-proxy" },
  {
    file: "kubelet",
    subject: `/O=system:nodes/CN=system:node:${name}`,
    names: `IP:${addresses.node},DNS:${name}`,
  },
  { file: "kubelet-client", subject: "/O=system:masters/CN=kube-apiserver-kubelet-client" },
];

/** Answers the path of a certificate's part. */
export function certificate(file: string, part: "crt" | "key"): string {
  return join(places.certificates, `${file}.${part}`);
}

/** Answers the path of the kubeconfig that speaks as the certificate's subject; `makeCertificates` has written it. */
export function kubeconfig(file: string): string {
  return join(places.certificates, `${file}.kubeconfig`);
}

function writeKubeconfig(path: string, file: string): void {
  const base64 = (part: string) => readFileSync(part).toString("base64");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [
      {
        name,
        cluster: {
          server: `https://${addresses.node}:6443`,
          "certificate-authority-data": base64(certificate("ca", "crt")),
        },
      },
    ],
    users: [
      {
        name: file,
        user: {
          "client-certificate-data": base64(certificate(file, "crt")),
          "client-key-data": base64(certificate(file, "key")),
        },
      },
    ],
    contexts: [{ name, context: { cluster: name, user: file } }],
  };
  writeFileSync(path, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 });
}

/** Makes one authority and what it signs, for ten days, with a kubeconfig for each subject; what is there stays. */
export async function makeCertificates(): Promise<void> {
  if (existsSync(places.kubeconfig)) return;
  mkdirSync(places.certificates, { recursive: true, mode: 0o700 });
  const cwd = places.certificates;
  await run("openssl", ["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "ca.key"], {
    cwd,
  });
  await run(
    "openssl",
    [
      "req",
      "-x509",
      "-new",
      "-key",
      "ca.key",
      "-subj",
      `/CN=${name} test cluster`,
      "-days",
      "10",
      "-out",
      "ca.crt",
    ],
    { cwd },
  );
  await run("openssl", ["genrsa", "-out", "service-accounts.key", "2048"], { cwd });
  for (const { file, subject, names } of certificates) {
    await run(
      "openssl",
      ["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", `${file}.key`],
      { cwd },
    );
    const request = await run("openssl", ["req", "-new", "-key", `${file}.key`, "-subj", subject], {
      cwd,
    });
    const extensions = [
      "extendedKeyUsage=serverAuth,clientAuth",
      ...(names === undefined ? [] : [`subjectAltName=${names}`]),
    ];
    writeFileSync(join(cwd, `${file}.ext`), extensions.join("\n"));
    const sign = [
      "x509",
      "-req",
      "-CA",
      "ca.crt",
      "-CAkey",
      "ca.key",
      "-CAcreateserial",
      "-days",
      "10",
      "-extfile",
      `${file}.ext`,
    ];
    await run("openssl", [...sign, "-out", `${file}.crt`], { cwd, input: request });
    writeKubeconfig(kubeconfig(file), file);
  }
  writeKubeconfig(places.kubeconfig, "admin");
}

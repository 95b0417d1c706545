import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { afterAll, beforeAll } from "vitest";
import { eventually } from "../run.ts";
import { apply, type Condition, get, kubectl, type Seen, until } from "./kube.ts";

/** Answers a small definition whose `GET /version` answers with the version, so that a test sees which one is in service. */
export function definition(version: string, more = ""): string {
  return `openapi: 3.1.0
info: {title: Pets, version: "${version}"}
paths:
  /version:
    get:
      operationId: version
      responses:
        "200":
          description: the version in service
          content: {application/json: {example: {version: "${version}"}}}
${more}`;
}

/** Answers an APIMock. */
export function mockOf(namespace: string, name: string, spec: object): object {
  return {
    apiVersion: "apirator.io/v1alpha1",
    kind: "APIMock",
    metadata: { namespace, name },
    spec,
  };
}

/**
 * Makes a namespace of its own for a test file, with the restricted Pod Security Standard enforced, and deletes it afterwards.
 * Answers its name, which is there at once.
 */
export function ownNamespace(prefix: string): string {
  const name = `${prefix}-${randomBytes(3).toString("hex")}`;
  beforeAll(async () => {
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    await apply({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
  });
  afterAll(async () => {
    await kubectl(["delete", "namespace", name, "--wait=false", "--ignore-not-found"]);
  });
  return name;
}

/** Answers an object's condition of the type. */
export function condition(object: Seen | undefined, type: string): Condition | undefined {
  return object?.status?.conditions?.find((each) => each.type === type);
}

/** Waits until the mock is Ready for its present generation, and answers it. */
export async function ready(namespace: string, name: string, seconds = 90): Promise<Seen> {
  return await until(
    `${namespace}/${name} Ready`,
    seconds,
    async () => await get("apimock", namespace, name),
    (mock) =>
      condition(mock, "Ready")?.status === "True" &&
      mock.status?.observedGeneration === mock.metadata.generation,
  );
}

/** What a mock answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request to a URL of the cluster through its ingress: INGRESS for public hosts, LOCAL_INGRESS for cluster-local ones; without these, straight to the host. */
export function ask(
  url: string,
  options: {
    method?: string;
    body?: string;
    headers?: Record<string, string>;
    timeout?: number;
  } = {},
): Promise<Answer> {
  const { hostname, pathname, search, port } = new URL(url);
  const ingress = hostname.endsWith(".svc.cluster.local")
    ? process.env["LOCAL_INGRESS"]
    : process.env["INGRESS"];
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: ingress ?? hostname,
        port: port === "" ? 80 : Number(port),
        path: `${pathname}${search}`,
        method: options.method ?? "GET",
        headers: {
          host: hostname,
          ...(options.body === undefined ? {} : { "content-type": "application/json" }),
          ...options.headers,
        },
        agent: false,
        timeout: options.timeout ?? 60_000,
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString("utf8"),
          }),
        );
      },
    );
    call.on("timeout", () => call.destroy(new Error(`${url}: no answer in time`)));
    call.on("error", reject);
    call.end(options.body);
  });
}

/** Answers the version that a mock of `definition` has in service, undefined where it does not answer it; `timeout` in milliseconds. */
export async function servedVersion(url: string, timeout = 60_000): Promise<string | undefined> {
  const answer = await ask(`${url}/version`, { timeout });
  return answer.status === 200
    ? (JSON.parse(answer.text) as { version: string }).version
    : undefined;
}

/** Waits until the URL answers with the version. A request that Knative holds is given up after 15 s, and sent again. */
export async function serves(url: string, version: string, seconds: number): Promise<void> {
  await eventually(`${url} serves ${version}`, seconds, async () =>
    (await servedVersion(url, 15_000)) === version ? true : undefined,
  );
}

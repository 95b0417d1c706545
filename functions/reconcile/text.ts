import type { APIMock } from "../../lib/apimock.ts";
import type { Cluster, KubeObject } from "../../lib/cluster/cluster.ts";
import type { SharedConfigMap } from "../../lib/applied.ts";
import { textLimit } from "../../lib/compiled/limits.ts";
import { kinds } from "../../lib/cluster/kinds.ts";
import type { Finding, FindingCode } from "../../lib/finding.ts";
import { definitionLabel } from "../../lib/names.ts";
import { unfold } from "../../lib/unfold.ts";

/** Bytes that a referenced definition may have after gunzip: no text that the compiler takes has more. */
const largestText = 4 * textLimit;

/** The text of a definition, or why there is none. `shared` is the ConfigMap that it comes from, where the mock may read it. */
export type Text =
  | { readonly kind: "text"; readonly text: string; readonly shared?: SharedConfigMap }
  | {
      readonly kind: "unreadable";
      readonly findings: readonly Finding[];
      readonly shared?: SharedConfigMap;
    };

/**
 * Answers the text of the mock's definition: inline, or out of the ConfigMap that it refers to (one call). What is wrong with a reference is a
 * finding that names the place, never a value: the operator may read more than the mock's author. Throws a `ClusterError`.
 */
export async function textOf(mock: APIMock, cluster: Cluster): Promise<Text> {
  const { definition, definitionFrom } = mock.spec;
  if (definitionFrom === undefined) return { kind: "text", text: definition ?? "" };
  const { name, key } = definitionFrom.configMapKeyRef;
  const configMap = await cluster.get(kinds.configMap, {
    namespace: mock.metadata.namespace,
    name,
  });
  if (configMap === undefined)
    return unreadable(
      "configmap-not-found",
      `ConfigMap ${name} does not exist in this namespace; create it, or name another one`,
    );
  // Without the owner's consent not even its keys are told.
  if (configMap.metadata.labels?.[definitionLabel] !== "true")
    return unreadable(
      "not-shared",
      `ConfigMap ${name} is not shared as a definition; its owner sets the label ${definitionLabel}: "true" on it`,
    );
  const { uid, resourceVersion } = configMap.metadata;
  const shared = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
  return { ...(await valueOf(configMap, key)), shared };
}

async function valueOf(configMap: KubeObject, key: string): Promise<Text> {
  const { data = {}, binaryData = {} } = configMap as ConfigMap;
  const place = `key ${key} of ConfigMap ${configMap.metadata.name}`;
  const plain = Object.hasOwn(data, key) ? data[key] : undefined;
  if (plain !== undefined) return { kind: "text", text: plain };
  const encoded = Object.hasOwn(binaryData, key) ? binaryData[key] : undefined;
  if (encoded === undefined)
    return unreadable("key-not-found", `${place} does not exist; add it, or name another key`);
  const bytes = await gunzipped(Buffer.from(encoded, "base64"));
  if (bytes === "malformed")
    return unreadable(
      "unreadable-gzip",
      `${place} begins like gzip and cannot be unpacked; pack it again`,
    );
  if (bytes === "too large")
    return unreadable(
      "too-large",
      `${place} is larger than ${largestText / 2 ** 20} MiB when unpacked; split the document`,
    );
  const text = decoded(bytes);
  if (text === undefined)
    return unreadable("not-utf8", `${place} is not UTF-8 text; save it as UTF-8`);
  return { kind: "text", text };
}

/** Answers the bytes as they are, or unpacked where they begin like gzip (RFC 1952). */
async function gunzipped(bytes: Uint8Array): ReturnType<typeof unfold> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  return await unfold(bytes, new DecompressionStream("gzip"), largestText);
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function unreadable(code: FindingCode, message: string): Text {
  const finding: Finding = { severity: "error", code, message, line: 0, column: 0, pointer: "" };
  return { kind: "unreadable", findings: [finding] };
}

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

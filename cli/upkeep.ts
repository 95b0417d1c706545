import { isDeepStrictEqual } from "node:util";
import type { Cluster, KubeObject } from "../lib/cluster/cluster.ts";
import { ClusterError } from "../lib/cluster/errors.ts";
import { kindOf, kinds } from "../lib/cluster/kinds.ts";
import type { Finding } from "../lib/finding.ts";
import type { Key } from "../lib/names.ts";
import { keyText } from "../lib/names.ts";
import type { FolderFile } from "./folder.ts";
import type { Manifest, Place } from "./manifest.ts";
import type { FiledFinding } from "./row.ts";

const tooLargeRemedy =
  "put the document into a ConfigMap (gzip allowed) that spec.definitionFrom names, or serve it alone with apirator mock";

/** Something wrong with a file, or with an object that the API server refused; what the file gave before goes on. */
export interface Complaint extends Place {
  readonly file: string;
  readonly message: string;
}

/** Keeps a cluster as the files of a folder say. */
export interface Upkeep {
  /** Applies what changed, removes what is no longer there, and answers all that is wrong now. Never rejects for a file's sake. */
  update(files: readonly FolderFile[]): Promise<Complaint[]>;
  /** Answers the finding of a mock with its place in the file. */
  filed(key: Key, finding: Finding): FiledFinding;
}

interface Kept {
  readonly manifest: Manifest;
  readonly file: string;
}

/** Answers the upkeep of a cluster. It removes only what it applied itself. */
export function createUpkeep(cluster: Cluster): Upkeep {
  let kept = new Map<string, Kept>();

  async function update(files: readonly FolderFile[]): Promise<Complaint[]> {
    const complaints = files.flatMap(({ file, problems }) =>
      problems.map((problem) => ({ file, ...problem })),
    );
    const wanted = new Map<string, Kept>();
    for (const { file, manifests } of files) {
      for (const manifest of manifests) {
        const id = idOf(manifest.object);
        const first = wanted.get(id);
        if (first === undefined) wanted.set(id, { manifest, file });
        else
          complaints.push({
            file,
            ...manifest.placeOfField("metadata.name"),
            message: `${id} is in ${first.file} already`,
          });
      }
    }
    const next = new Map<string, Kept>();
    for (const [id, entry] of wanted) {
      const complaint = await apply(entry, kept.get(id));
      const old = kept.get(id);
      if (complaint === undefined) next.set(id, entry);
      else {
        complaints.push(complaint);
        if (old !== undefined) next.set(id, old);
      }
    }
    const bad = new Set(complaints.map((complaint) => complaint.file));
    for (const [id, old] of kept) {
      if (wanted.has(id)) continue;
      // A file that cannot be read whole may hold it still.
      if (bad.has(old.file)) next.set(id, old);
      else await remove(old.manifest.object);
    }
    kept = next;
    return complaints;
  }

  async function apply(entry: Kept, old: Kept | undefined): Promise<Complaint | undefined> {
    if (isDeepStrictEqual(entry.manifest.object, old?.manifest.object)) return undefined;
    try {
      await cluster.apply(entry.manifest.object);
      return undefined;
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      const field = /\b(?:spec|metadata|data)[\w.[\]]*/.exec(error.detail)?.[0] ?? "";
      const message = error.status === 413 ? `${error.detail}; ${tooLargeRemedy}` : error.detail;
      return { file: entry.file, ...entry.manifest.placeOfField(field), message };
    }
  }

  async function remove(object: KubeObject): Promise<void> {
    const kind = kindOf(object);
    const { namespace, name } = object.metadata;
    if (kind !== undefined) await cluster.remove(kind, { namespace, name }, {});
  }

  return {
    update,
    filed(key, finding) {
      const entry = kept.get(`${kinds.apimock.kind} ${keyText(key)}`);
      const place =
        finding.line === 0
          ? undefined
          : entry?.manifest.textAt(["spec", "definition"]).placeInFile(finding);
      if (entry === undefined || place === undefined) return finding;
      return { ...finding, file: `${entry.file}:${place.line}:${place.column}` };
    },
  };
}

function idOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${keyText(metadata)}`;
}

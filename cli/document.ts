import { readFile } from "node:fs/promises";
import type { KubeObject } from "../lib/cluster/cluster.ts";
import { kinds } from "../lib/cluster/kinds.ts";
import type { Context } from "./command.ts";
import { CommandError } from "./command.ts";
import type { Manifest, Place } from "./manifest.ts";
import { readManifests } from "./manifest.ts";

/** An OpenAPI text out of a file, and the APIMock around it where there is one. */
export interface OpenApiDocument {
  readonly text: string;
  /** Undefined where the file is the document. */
  readonly mock?: KubeObject;
  /** Answers where a place of the text lies in the file, or undefined. */
  readonly placeInFile: (place: Place) => Place | undefined;
}

/** Answers the text of a file, of standard input for `-`. Throws a `CommandError` where it cannot be read. */
export async function readText(file: string, { stdin }: Pick<Context, "stdin">): Promise<string> {
  try {
    return file === "-" ? await stdin() : await readFile(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === "ENOENT"
        ? "does not exist"
        : code === "EISDIR"
          ? "is a folder; name a file"
          : `cannot be read: ${message}`;
    throw new CommandError(`${file} ${why}`);
  }
}

/**
 * Answers the OpenAPI documents of a file: the definitions of its APIMocks (also those that refer to a ConfigMap of the same file), else the
 * file itself as one document, whatever it is: the compiler then says what is wrong with it. Pure.
 */
export function documentsOf(text: string, manifests: readonly Manifest[]): OpenApiDocument[] {
  const mocks = manifests.filter(({ object }) => object.kind === kinds.apimock.kind);
  if (mocks.length === 0) return [{ text, placeInFile: (place) => place }];
  return mocks.flatMap((manifest): OpenApiDocument[] => {
    const definition = definitionOf(manifest.object, manifests);
    if (definition === undefined) return [];
    const { placeInDefinition: placeInFile, object: mock } = manifest;
    // The mock that a plain document was made into is nobody's.
    return [definition === text ? { text, placeInFile } : { text: definition, mock, placeInFile }];
  });
}

/** Answers the only document of a file; throws a `CommandError` where it holds several, or none. */
export function onlyDocument(text: string, file: string): OpenApiDocument {
  const { manifests, problems } = readManifests(text, file);
  const documents = documentsOf(text, manifests);
  const [document] = documents;
  if (document !== undefined && documents.length === 1) return document;
  const first = problems[0];
  if (first !== undefined)
    throw new CommandError(`${file}:${first.line}:${first.column}: ${first.message}`);
  throw new CommandError(
    `${file} holds ${documents.length === 0 ? "no definition" : `${documents.length} mocks`}; give a file with one`,
  );
}

function definitionOf(mock: KubeObject, manifests: readonly Manifest[]): string | undefined {
  const spec = (mock["spec"] ?? {}) as {
    definition?: unknown;
    definitionFrom?: { configMapKeyRef?: { name?: string; key?: string } };
  };
  if (typeof spec.definition === "string") return spec.definition;
  const { name, key = "" } = spec.definitionFrom?.configMapKeyRef ?? {};
  const configMap = manifests.find(
    ({ object }) =>
      object.kind === kinds.configMap.kind &&
      object.metadata.name === name &&
      object.metadata.namespace === mock.metadata.namespace,
  );
  const data = configMap?.object["data"] as Record<string, string> | undefined;
  return data?.[key];
}

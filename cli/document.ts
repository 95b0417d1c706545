import { readFile } from "node:fs/promises";
import type { KubeObject } from "../lib/cluster/cluster.ts";
import { kinds } from "../lib/cluster/kinds.ts";
import type { Context } from "./command.ts";
import { CommandError } from "./command.ts";
import { decode } from "./decode.ts";
import type { Manifest, Place } from "./manifest.ts";
import { readManifests } from "./manifest.ts";

/** An OpenAPI text out of a file, and the APIMock around it where there is one. */
export interface OpenApiDocument {
  readonly text: string;
  /** Undefined where the file is the document. */
  readonly mock?: KubeObject;
  /** Where it is in the file; undefined where it is the file. */
  readonly at?: Place;
  /** Answers where a place of the text lies in the file, or undefined where its lines are not the file's. */
  readonly placeInFile: (place: Place) => Place | undefined;
}

/** Answers how a file is called in what is printed: `-` is standard input. */
export function nameOf(file: string): string {
  return file === "-" ? "stdin" : file;
}

/** Answers the text of a file, of standard input for `-`. Throws a `CommandError` where it cannot be read. */
export async function readText(file: string, { stdin }: Pick<Context, "stdin">): Promise<string> {
  const name = nameOf(file);
  const bytes = await (file === "-" ? stdin() : readFile(file)).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(`${name} ${unread[code ?? ""] ?? `cannot be read: ${message}`}`);
  });
  try {
    return decode(bytes);
  } catch (error) {
    throw new CommandError(`${name} ${(error as Error).message}`);
  }
}

const unread: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EISDIR: "is a folder; name a file",
};

/**
 * Answers the OpenAPI documents of a file: the definitions of its APIMocks (also those that refer to a ConfigMap of the same file), else the
 * file itself as one document, whatever it is: the compiler then says what is wrong with it. Pure.
 */
export function documentsOf(text: string, manifests: readonly Manifest[]): OpenApiDocument[] {
  const mocks = manifests.filter(({ object }) => object.kind === kinds.apimock.kind);
  if (mocks.length === 0) return [{ text, placeInFile: (place) => place }];
  return mocks.flatMap((manifest): OpenApiDocument[] => {
    const definition = definitionOf(manifest, manifests);
    if (definition === undefined) return [];
    // The mock that a plain document was made into is nobody's.
    return [definition.text === text ? { text, placeInFile: (place) => place } : definition];
  });
}

/** Answers the only document of a file; throws a `CommandError` where it holds several, or none. */
export function onlyDocument(text: string, file: string): OpenApiDocument {
  const { manifests, problems } = readManifests(text, file);
  const documents = documentsOf(text, manifests);
  const [document] = documents;
  const [first] = problems;
  // A file of objects without a mock is no OpenAPI document.
  const isObjects = manifests.length === 0 && first !== undefined && first.isText !== true;
  if (document !== undefined && documents.length === 1 && !isObjects) return document;
  if (first !== undefined)
    throw new CommandError(`${file}:${first.line}:${first.column}: ${first.message}`);
  throw new CommandError(
    `${file} holds ${documents.length === 0 ? "no definition" : `${documents.length} mocks`}; give a file with one`,
  );
}

function definitionOf(
  manifest: Manifest,
  manifests: readonly Manifest[],
): OpenApiDocument | undefined {
  const mock = manifest.object;
  const spec = (mock["spec"] ?? {}) as {
    definition?: unknown;
    definitionFrom?: { configMapKeyRef?: { name?: string; key?: string } };
  };
  if (typeof spec.definition === "string")
    return { text: spec.definition, mock, ...manifest.textAt(["spec", "definition"]) };
  const { name, key = "" } = spec.definitionFrom?.configMapKeyRef ?? {};
  const configMap = manifests.find(
    ({ object }) =>
      object.kind === kinds.configMap.kind &&
      object.metadata.name === name &&
      object.metadata.namespace === mock.metadata.namespace,
  );
  const text = (configMap?.object["data"] as Record<string, unknown> | undefined)?.[key];
  return configMap !== undefined && typeof text === "string"
    ? { text, mock, ...configMap.textAt(["data", key]) }
    : undefined;
}

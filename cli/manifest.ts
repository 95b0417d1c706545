import type { Document, Node } from "yaml";
import { isMap, isNode, isScalar, LineCounter, parseAllDocuments } from "yaml";
import type { KubeObject } from "../lib/cluster/cluster.ts";
import { kinds } from "../lib/cluster/kinds.ts";

/** A place in a file; both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** An object that a file describes, and where its parts lie in that file. */
export interface Manifest {
  readonly object: KubeObject;
  /** Answers where the text at a path (`spec`, `definition`) begins, and where a place in it lies. */
  readonly textAt: (path: readonly string[]) => TextPlaces;
  /** Answers where a field lies (`spec.service.port`), or the nearest one above it. */
  readonly placeOfField: (path: string) => Place;
}

/** Where a text of a manifest lies in its file. */
interface TextPlaces {
  readonly at: Place;
  /** Answers where a place of the text lies in the file, or undefined where its lines are not the file's. */
  readonly placeInFile: (place: Place) => Place | undefined;
}

/** Something wrong with a file itself, not with a definition in it. */
export interface FileProblem extends Place {
  readonly message: string;
  /** The text is no Kubernetes object at all, or cannot be read: it may be meant as an OpenAPI document. */
  readonly isText?: true;
}

/** What a file holds. Where there are problems, it may hold more than could be read. */
export interface FileContents {
  readonly manifests: readonly Manifest[];
  readonly problems: readonly FileProblem[];
}

const start: Place = { line: 1, column: 1 };

/**
 * Reads a YAML or JSON file: APIMocks and ConfigMaps (any number of documents), or one plain OpenAPI document, which becomes an
 * APIMock with the file's name. An object without a namespace is in `default`. Never throws; what is wrong is a problem with its place.
 */
export function readManifests(text: string, file: string): FileContents {
  const lineCounter = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter, logLevel: "silent" });
  const documents = [...parsed].filter((document) => !isEmpty(document));
  if (documents.length === 0) {
    const message = "the file is empty; delete it to delete its mocks";
    return { manifests: [], problems: [{ ...start, message, isText: true }] };
  }
  const alone = documents.length === 1;
  const read = documents.map((document) =>
    readDocument(document, { text, file, lineCounter, alone }),
  );
  return {
    manifests: read.flatMap((part) => part.manifests),
    problems: read.flatMap((part) => part.problems),
  };
}

/** Answers the name of the mock that a plain OpenAPI file becomes: the file's, as a DNS-1035 label. */
function mockName(file: string): string {
  const base = file.replace(/^.*[/\\]/, "").replace(/\.(ya?ml|json)$/i, "");
  const label = base
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  const name = /^[a-z]/.test(label) ? label : `mock-${label}`;
  return name.slice(0, 63).replace(/-+$/, "");
}

interface FileParts {
  readonly text: string;
  readonly file: string;
  readonly lineCounter: LineCounter;
  readonly alone: boolean;
}

function readDocument(document: Document, parts: FileParts): FileContents {
  const place = placeOf(document.contents, parts.lineCounter);
  const isText = isMap(document.contents) && document.has("kind") ? {} : { isText: true as const };
  const refused = (message: string, at = place): FileContents => ({
    manifests: [],
    problems: [{ ...at, message, ...isText }],
  });
  if (isOpenApi(document)) {
    return parts.alone
      ? { manifests: [plainManifest(parts)], problems: [] }
      : refused(
          "an OpenAPI document must be alone in its file, or be the definition of an APIMock",
        );
  }
  const error = document.errors[0];
  if (error !== undefined) {
    const { line, col } = parts.lineCounter.linePos(error.pos[0]);
    return refused(firstLine(error.message), { line, column: col });
  }
  const value = plainValue(document);
  if (value instanceof Error) return refused(firstLine(value.message));
  const trouble = troubleOf(value);
  if (trouble !== undefined) return refused(trouble);
  if (isMappedDefinition(document)) {
    const at = placeOf(document.getIn(definitionPath, true) as Node, parts.lineCounter);
    return refused("spec.definition is a mapping; it must be a text: write definition: |", at);
  }
  return { manifests: [manifestOf(value as KubeObject, document, parts)], problems: [] };
}

/** `---` before the first document or behind the last makes one more. */
function isEmpty({ contents, errors }: Document): boolean {
  const isNothing = contents === null || (isScalar(contents) && contents.value === null);
  return isNothing && errors.length === 0;
}

function isOpenApi(document: Document): boolean {
  return isMap(document.contents) && (document.has("openapi") || document.has("swagger"));
}

/** Too many aliases throw. */
function plainValue(document: Document): unknown {
  try {
    return document.toJS();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function troubleOf(value: unknown): string | undefined {
  const { apiVersion, kind, metadata } = (value ?? {}) as Partial<KubeObject>;
  if (kind === undefined)
    return "neither an APIMock nor an OpenAPI document (no openapi, swagger or kind)";
  const known = [kinds.apimock, kinds.configMap].find((known) => known.kind === kind);
  if (known === undefined) return `kind ${kind} is not served here; APIMock and ConfigMap are`;
  if (apiVersion !== known.apiVersion)
    return `apiVersion of kind ${kind} must be ${known.apiVersion}`;
  if (typeof metadata?.name !== "string") return `${kind} has no metadata.name`;
  return undefined;
}

const definitionPath = ["spec", "definition"];

/** Where the `|` was forgotten, the document becomes part of the manifest. */
function isMappedDefinition(document: Document): boolean {
  return document.get("kind") === kinds.apimock.kind && isMap(document.getIn(definitionPath));
}

function plainManifest({ text, file }: FileParts): Manifest {
  const { apiVersion, kind } = kinds.apimock;
  return {
    object: {
      apiVersion,
      kind,
      metadata: { name: mockName(file), namespace: "default" },
      spec: { definition: text },
    },
    textAt: () => ({ at: start, placeInFile: (place) => place }),
    placeOfField: () => start,
  };
}

function manifestOf(value: KubeObject, document: Document, parts: FileParts): Manifest {
  const { metadata } = value;
  return {
    object: { ...value, metadata: { ...metadata, namespace: metadata.namespace ?? "default" } },
    textAt: (path) => textPlaces(document.getIn(path, true), parts),
    placeOfField: (path) => {
      const segments = path.split(/[.[\]]+/).filter((segment) => segment !== "");
      for (let length = segments.length; length > 0; length -= 1) {
        const node = document.getIn(segments.slice(0, length), true);
        if (isNode(node)) return placeOf(node, parts.lineCounter);
      }
      return placeOf(document.contents, parts.lineCounter);
    },
  };
}

/** A literal block (`|`) keeps its lines, indented; any other way of writing a text does not. */
function textPlaces(node: unknown, { text, lineCounter }: FileParts): TextPlaces {
  const at = placeOf(isNode(node) ? node : null, lineCounter);
  if (!isScalar(node) || node.type !== "BLOCK_LITERAL" || !node.range)
    return { at, placeInFile: () => undefined };
  const begin = text.indexOf("\n", node.range[0]) + 1;
  const isFilled = (line: string): boolean => line.trim() !== "";
  const written = text.slice(begin, node.range[1]).split("\n").find(isFilled) ?? "";
  const meant = String(node.value).split("\n").find(isFilled) ?? "";
  const indent = written.search(/\S/) - meant.search(/\S/);
  const first = lineCounter.linePos(begin).line;
  return {
    at,
    placeInFile: ({ line, column }) => ({ line: first + line - 1, column: column + indent }),
  };
}

function placeOf(node: Node | null, lineCounter: LineCounter): Place {
  if (!node?.range) return start;
  const { line, col } = lineCounter.linePos(node.range[0]);
  return { line, column: col };
}

/** The parser's messages go on with an excerpt of the text. */
function firstLine(message: string): string {
  return message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "") ?? message;
}

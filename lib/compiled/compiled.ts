import type { Severity } from "../finding.ts";

/** Version of this form. A mock refuses another one; it is part of the hash that names a ConfigMap. */
export const compiledFormat = 1;

/** A map of the document whose order matters, as pairs: a JavaScript object would put numeric keys first. */
export type Pairs<Value> = readonly (readonly [name: string, value: Value])[];

/** A JSON Schema 2020-12, local references as `#/$defs/ID`. `xml`, `discriminator`, `readOnly`, `writeOnly` and `x-*` are kept. */
export type Schema = boolean | { readonly [keyword: string]: unknown };

/** Names an entry of `Compiled.schemas`. */
export type SchemaId = string;

/**
 * What the mock process loads: a definition of any OpenAPI version as one normalised model, made by `lib/definition`, never by hand.
 * It is JSON without functions, dates or undefined members; the same text gives the same bytes.
 */
export interface Compiled {
  readonly format: typeof compiledFormat;
  /** `openapi` or `swagger` of the document, as written. */
  readonly version: string;
  readonly title: string;
  /** The document as given, and which syntax it is in: `/__apirator/definition` answers it. */
  readonly source: { readonly text: string; readonly syntax: "json" | "yaml" };
  /** Numbers of the document that a double does not hold, as JSON text, by what JavaScript writes for them; absent where there are none. */
  readonly numbers?: Readonly<Record<string, string>>;
  /** In the document's order; routing never depends on it. */
  readonly operations: readonly Operation[];
  /** Every schema that an operation names, and every schema that those refer to. */
  readonly schemas: Readonly<Record<SchemaId, Schema>>;
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
}

/** One method of one path. */
export interface Operation {
  /** `operationId`, or method and path where there is none: unique, for logs, metrics and explain. */
  readonly id: string;
  /** In capitals, also for methods of `additionalOperations`. */
  readonly method: string;
  /** The path template as written, beginning with a slash. */
  readonly path: string;
  /** JSON Pointer of the operation in the document, e.g. `/paths/~1bets/get`. */
  readonly pointer: string;
  readonly summary?: string;
  /** True, or the date (Unix seconds) that an extension gives (RFC 9745). */
  readonly deprecated?: true | number;
  /** Path prefixes of the servers that count for it: the operation's, else the path item's, else the root's; 2.0's basePath. */
  readonly servers: readonly ServerPath[];
  /** An OR of ANDs; empty: none asked for. An empty requirement in it means that anonymous is welcome. */
  readonly security: readonly SecurityRequirement[];
  readonly parameters: readonly Parameter[];
  readonly body?: RequestBody;
  /** Keys as written: `200`, `5XX`, `default`. */
  readonly responses: Pairs<Response>;
  /** Names of callbacks, for explain. */
  readonly callbacks?: readonly string[];
}

/** The path of a server's URL, without a trailing slash, `""` for the root. Variables stay as `{name}`. */
export interface ServerPath {
  readonly path: string;
  readonly variables: Readonly<
    Record<string, { readonly default: string; readonly enum?: readonly string[] }>
  >;
}

/** All schemes of one requirement must be satisfied. */
export type SecurityRequirement = Pairs<{ readonly scopes: readonly string[] }>;

/** A scheme as presence and form can be checked. `http` schemes in lower case; 2.0's `basic` is `http` `basic`. */
export type SecurityScheme =
  | { readonly type: "apiKey"; readonly in: "header" | "query" | "cookie"; readonly name: string }
  | { readonly type: "http"; readonly scheme: string }
  | { readonly type: "oauth2" | "openIdConnect" | "mutualTLS" };

/** How a value is written into text (OpenAPI 3.x styles; `tabDelimited` is 2.0's `tsv`). */
export type Style =
  | "matrix" | "label" | "simple" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "cookie" | "tabDelimited"; // oxfmt-ignore

/** A parameter. Either `schema` (with style) or `content` (one media type). 2.0's collectionFormat has become style and explode. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie" | "querystring";
  readonly pointer: string;
  readonly required: boolean;
  readonly style: Style;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly allowEmptyValue: boolean;
  readonly schema?: SchemaId;
  readonly content?: readonly [mediaType: string, media: Media];
  /** `examples` in document order; a lone `example` has the name "". */
  readonly examples: Pairs<Example>;
}

/** A request body. Media types in document order, keys as written (may be ranges). */
export interface RequestBody {
  readonly pointer: string;
  readonly required: boolean;
  readonly content: Pairs<Media>;
}

/** A value of an example, or a mark that it lies outside the document and is never fetched. */
export type Example = { readonly value: unknown } | { readonly external: string };

/** A media type object. */
export interface Media {
  readonly pointer: string;
  readonly schema?: SchemaId;
  /** 3.2: the schema of each item of a sequential media type. */
  readonly itemSchema?: SchemaId;
  /** `examples` in document order; a lone `example` has the name "". */
  readonly examples: Pairs<Example>;
  readonly encoding?: Readonly<Record<string, Encoding>>;
  /** The body made from the schema at compile time, where no example is there. Absent in requests, or where it was too much work. */
  readonly made?: MadeBody;
}

/** A generated body, checked against the response view of its schema; `violations` name what the best candidate breaks. */
export interface MadeBody {
  readonly value: unknown;
  readonly violations?: readonly Violation[];
}

/** How a property of a form or multipart body is written (OpenAPI Encoding Object). */
export interface Encoding {
  readonly contentType?: string;
  readonly style?: Style;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  readonly headers?: Pairs<Header>;
}

/** One declared answer. */
export interface Response {
  readonly pointer: string;
  readonly description: string;
  readonly headers: Pairs<Header>;
  readonly content: Pairs<Media>;
  /** Names of links, for explain. */
  readonly links?: readonly string[];
}

/** A response header, or a header of a multipart part. `made` as in `Media`. */
export interface Header {
  readonly required: boolean;
  readonly explode: boolean;
  readonly schema?: SchemaId;
  readonly example?: unknown;
  readonly made?: MadeBody;
}

/** A place where a value does not fit its schema. `pointer` is a JSON Pointer into the value; `keyword` is JSON Schema's. */
export interface Violation {
  readonly in: "path" | "query" | "header" | "cookie" | "querystring" | "body" | "response";
  /** Name of the parameter; "" for bodies. */
  readonly name: string;
  readonly pointer: string;
  readonly message: string;
  readonly keyword: string;
}

/** What a status and a table say of a compiled definition without loading it. */
export interface CompiledInfo {
  readonly version: string;
  readonly title: string;
  readonly operations: number;
}

/** How many findings of a severity there were in all, also those that were cut from a list. */
export type FindingCounts = Readonly<Record<Severity, number>>;

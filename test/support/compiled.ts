import type { Compiled, Media, Operation, Response } from "../../lib/compiled/compiled.ts";
import { compiledFormat } from "../../lib/compiled/compiled.ts";

/** Answers a compiled definition of the given operations, as far as they are given: the rest is what nothing in a document becomes. */
export function compiledOf(
  operations: readonly Partial<Operation>[],
  more: Partial<Compiled> = {},
): Compiled {
  return {
    format: compiledFormat,
    version: "3.1.1",
    title: "Test",
    source: { text: "{}", syntax: "json" },
    operations: operations.map((operation) => {
      const { method = "GET", path = "/p" } = operation;
      return {
        id: `${method} ${path}`,
        method,
        path,
        pointer: `/paths/${path.replaceAll("/", "~1")}/${method.toLowerCase()}`,
        servers: [{ path: "", variables: {} }],
        security: [],
        parameters: [],
        responses: [],
        ...operation,
      };
    }),
    schemas: {},
    securitySchemes: {},
    ...more,
  };
}

/** Answers a response with content: media types and what they have. */
export function responseOf(
  key: string,
  content: readonly (readonly [type: string, media: Partial<Media>])[] = [],
  headers: Response["headers"] = [],
): readonly [string, Response] {
  return [
    key,
    {
      pointer: `/responses/${key}`,
      description: "",
      headers,
      content: content.map(([type, media]) => {
        const pointer = `/responses/${key}/${type.replaceAll("/", "~1")}`;
        return [type, { pointer, examples: [], ...media }];
      }),
    },
  ];
}

/** Answers a media type with a lone example. */
export function exampleOf(value: unknown): Partial<Media> {
  return { examples: [["", { value }]] };
}

/** A definition of `count` operations with examples and checked bodies, as a user's document of that size looks. */
export function document(count: number): string {
  const paths: Record<string, unknown> = {};
  for (let index = 0; index < count / 2; index += 1) {
    const schema = { $ref: `#/components/schemas/Thing${index}` };
    paths[`/things${index}/{id}`] = {
      get: {
        operationId: `getThing${index}`,
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "integer", minimum: 1 } },
        ],
        responses: {
          200: {
            description: "One.",
            content: { "application/json": { schema, example: thing(index) } },
          },
        },
      },
      post: {
        operationId: `setThing${index}`,
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "integer", minimum: 1 } },
        ],
        requestBody: { required: true, content: { "application/json": { schema } } },
        responses: {
          201: {
            description: "Set.",
            content: { "application/json": { schema, example: thing(index) } },
          },
        },
      },
    };
  }
  const schemas = Object.fromEntries(
    Array.from({ length: count / 2 }, (_, index) => [
      `Thing${index}`,
      {
        type: "object",
        required: ["id", "name", "tags"],
        properties: {
          id: { type: "integer", minimum: 1 },
          name: { type: "string", minLength: 1, maxLength: 80 },
          state: { type: "string", enum: ["open", "closed"] },
          created: { type: "string", format: "date-time" },
          tags: { type: "array", items: { type: "string" }, maxItems: 10 },
          owner: {
            type: "object",
            required: ["email"],
            properties: { email: { type: "string", format: "email" } },
          },
        },
      },
    ]),
  );
  return JSON.stringify({
    openapi: "3.0.3",
    info: { title: "Things", version: "1" },
    paths,
    components: { schemas },
  });
}

/** A body that fits the schema of every operation of `document`. */
export function thing(index: number): unknown {
  return {
    id: index + 1,
    name: `Thing number ${index}`,
    state: "open",
    created: "2026-01-02T03:04:05Z",
    tags: ["one", "two", "three"],
    owner: { email: "someone@example.com" },
  };
}

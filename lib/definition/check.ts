import { validate } from "@readme/openapi-parser";

import type { Definition } from "./definition.ts";
import type { Remark } from "./remark.ts";

/** Answers what the parser finds wrong with a document whose references all resolve. Nothing is fetched. */
export async function checkStructure(definition: Definition): Promise<Remark[]> {
  const copy = structuredClone(definition.root) as object;
  try {
    const result = await validate(copy as never, {
      resolve: { external: false, file: false },
      timeoutMs: 3000,
    });
    return result.valid
      ? []
      : result.errors.map(({ message }) => ({ code: "invalid-document", pointer: "", message }));
  } catch (error) {
    return [
      {
        code: "invalid-document",
        pointer: "",
        message: error instanceof Error ? error.message : String(error),
      },
    ];
  }
}

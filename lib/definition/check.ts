import { validate } from "@readme/openapi-parser";

import { keepCompilations } from "../schema/kept-compilations.ts";
import type { Definition } from "./definition.ts";
import { pointerOfLine, pointerOfPlace, unframed, withSubject } from "./frame.ts";
import { isObject, member } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { methods } from "./operations.ts";
import { valueAt } from "./pointer.ts";
import { portionsOf } from "./parts.ts";
import type { Portion } from "./parts.ts";
import type { Remark } from "./remark.ts";

// The parser would compile the standard's schema again for each document: a tenth of a second that a mock's edit waits for.
keepCompilations();

/** Errors after which the rest of a document is not looked at: the parser draws a picture of each, in quadratic time. */
const enough = 20;

/** Findings of the parser by their wording; the first that fits names the code. */
const codes: readonly (readonly [RegExp, Remark["code"]])[] = [
  [/is an array, so it/, "array-without-items"],
  [/^`\/(?:components\/securitySchemes|securityDefinitions)\//, "invalid-security-scheme"],
  [/has an invalid response code/, "invalid-status"],
  [/has a file parameter, so it must consume/, "file-without-multipart"],
  [/\bparameters\. Only one|body parameters/, "invalid-parameter"],
];

/** What rules of our own tell with better places, what cannot be judged while references lead elsewhere, or what the standard does not ask for. */
const overruled = new RegExp(
  [
    "has a path parameter named",
    "is missing path parameter",
    "^Path parameters (?:cannot|should not) be optional",
    "^Found multiple `[^`]*` parameters",
    "^The operationId ",
    "is listed as required but does not exist",
  ].join("|"),
);

/**
 * Answers what `@readme/openapi-parser` finds wrong with the parts of a document: their structure by the schemas of the standard, and the
 * parser's own rules. Each part is looked at once, where it stands: with references written out, a few of them that double are work without end, and
 * one mistake is found as often as it is named. Nothing is fetched, the document is not changed.
 */
export async function checkStructure(definition: Definition): Promise<Remark[]> {
  const { root, version, dialect } = definition;
  const whole = version === "2.0" ? { ...root, swagger: version } : root;
  const remarks: Remark[] = [];
  let portions = 0;
  for (const portion of portionsOf(whole, dialect)) {
    const found = await checkPortion(definition, portion);
    remarks.push(...found);
    portions += 1;
    const broken = remarks.filter(({ code }) => code === "invalid-document").length;
    if (broken >= enough || (broken > 0 && portions > 1)) break;
  }
  return remarks;
}

async function checkPortion(definition: Definition, portion: Portion): Promise<Remark[]> {
  try {
    const document = withAnswers(portion.document);
    const result = await validate(document as never, { resolve: { external: false, file: false } });
    const errors = result.valid ? [] : result.errors;
    return [...errors, ...result.warnings].flatMap(({ message }) =>
      remarkOf(definition, portion, message),
    );
  } catch (error) {
    const reason = unframed(error instanceof Error ? error.message : String(error)).message;
    const message = `the parser gave up (${reason}); only the most important rules were checked`;
    return [{ code: "parser-skipped", pointer: "", message }];
  }
}

function remarkOf({ root, dialect }: Definition, portion: Portion, text: string): Remark[] {
  const { message, line } = unframed(text);
  if (overruled.test(message)) return [];
  const code = codes.find(([wording]) => wording.test(message))?.[1] ?? "invalid-document";
  // From 3.1 on a schema is JSON Schema's, where a list needs no items.
  if (code === "array-without-items" && dialect === "3.1") return [];
  const place = /`(\/[^`]*)`/.exec(message)?.[1];
  const named = place === undefined ? "" : pointerOfPlace(root, place);
  const seen = line === undefined ? undefined : pointerOfLine(portion.document, line);
  if (seen === undefined) return [{ code, pointer: named, message }];
  const value = valueAt(portion.document, seen);
  return [{ code, pointer: portion.original(seen), message: withSubject(message, seen, value) }];
}

/** Operations without responses are our own finding, and no reason to refuse: they are answered 200. */
function withAnswers(root: JsonObject): JsonObject {
  const items = [
    member(root, "paths"),
    member(member(root, "components"), "pathItems"),
    member(root, "webhooks"),
  ];
  for (const item of items.filter(isObject).flatMap((map) => Object.values(map))) {
    for (const [method, operation] of Object.entries(isObject(item) ? item : {})) {
      if (!methods.has(method) || !isObject(operation)) continue;
      const responses = operation["responses"] ?? {};
      if (isObject(responses) && Object.keys(responses).length === 0) {
        Object.assign(operation, { responses: { default: { description: "" } } });
      }
    }
  }
  return root;
}

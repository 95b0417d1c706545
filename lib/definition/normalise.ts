import { compiledFormat } from "../compiled/compiled.ts";
import type { Compiled } from "../compiled/compiled.ts";
import { createValidators } from "../schema/validator.ts";
import type { Definition, Report } from "./definition.ts";
import { objectMember, textMember } from "./json.ts";
import { operationsOf } from "./operations.ts";
import { schemasOf } from "./schemas.ts";
import { securitySchemesOf } from "./security.ts";

/**
 * Answers a definition of any version as the one model that mocks load. `text` is kept as given. It reports what it had to change or leave out, and
 * each schema that no value could be checked by. Never throws for a document that the rules let pass.
 */
export function normalise(definition: Definition, text: string, report: Report): Compiled {
  const schemas = schemasOf(definition, report);
  const context = { definition, schemas, report };
  const operations = operationsOf(context);
  const { syntax, numbers } = definition.source;
  const compiled: Compiled = {
    format: compiledFormat,
    version: definition.version,
    title: textMember(objectMember(definition.root, "info"), "title") ?? "",
    source: { text, syntax },
    ...(Object.keys(numbers).length === 0 ? {} : { numbers }),
    operations,
    schemas: schemas.finish(),
    securitySchemes: securitySchemesOf(context),
  };
  const validators = createValidators(compiled.schemas);
  for (const [id, pointer] of schemas.places()) {
    const fault = validators.check(id);
    if (fault !== undefined)
      report({
        code: "invalid-schema",
        pointer,
        message: `no value can be checked by it: ${fault}`,
      });
  }
  return compiled;
}

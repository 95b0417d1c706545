import type { Definition } from "../definition.ts";
import { mappingTarget } from "../discriminator.ts";
import { objectMember } from "../json.ts";
import { childPointer } from "../pointer.ts";
import type { Remark } from "../remark.ts";
import { walk } from "../walk.ts";

/** A discriminator's mapping leads to schemas of the document; what does not is left out of generated bodies. */
export function discriminatorsLead(definition: Definition): Remark[] {
  const remarks: Remark[] = [];
  walk(definition.root, (schema, pointer) => {
    const mapping = objectMember(objectMember(schema, "discriminator"), "mapping") ?? {};
    const below = childPointer(childPointer(pointer, "discriminator"), "mapping");
    for (const [value, target] of Object.entries(mapping)) {
      if (typeof target === "string" && mappingTarget(definition, target, pointer) !== undefined)
        continue;
      const message = `${String(target).slice(0, 200)} names no schema`;
      remarks.push({ code: "unresolved-mapping", pointer: childPointer(below, value), message });
    }
  });
  return remarks;
}

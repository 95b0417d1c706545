import type { Definition } from "./definition.ts";
import type { Remark } from "./remark.ts";
import { componentNamesArePlain } from "./rules/components.ts";
import { callbacksAreNotSent, someoneIsServed } from "./rules/document.ts";
import { headersCanBeSent } from "./rules/headers.ts";
import { mediaTypesAreNamed } from "./rules/media-types.ts";
import { operationIdsDiffer, parametersDiffer } from "./rules/names.ts";
import { parametersAreWhole } from "./rules/parameters.ts";
import { pathParametersAgree, pathsAreTemplates, pathsDiffer } from "./rules/paths.ts";
import { referencesResolve, referencesStandAlone } from "./rules/references.ts";
import { responsesAreDescribed, responsesAreFinal, statusesExist } from "./rules/responses.ts";
import { discriminatorsLead } from "./rules/schemas.ts";
import { schemesAreDeclared } from "./rules/security.ts";
import { serverVariablesAreDeclared } from "./rules/servers.ts";

/** A check of a definition: answers what breaks it, nothing where all is well. Names say what holds when nothing is broken. */
export type Rule = (definition: Definition) => Iterable<Remark>;

const rules: readonly Rule[] = [
  referencesResolve, // what leads nowhere, outside or in circles cannot be served
  referencesStandAlone, // 2.0 and 3.0 ignore what stands beside a reference
  someoneIsServed, // a mock without operations answers 404 to everyone
  callbacksAreNotSent, // callbacks and webhooks are shown, nothing calls them
  pathsAreTemplates, // a path that no request can have
  pathsDiffer, // two paths that the same requests match
  pathParametersAgree, // the template and the parameters name the same variables
  parametersDiffer, // one name and place, one parameter
  parametersAreWhole, // the parser says only that one does not fit
  componentNamesArePlain, // the standard allows few letters; generators use more
  operationIdsDiffer, // the second of a name is known by its method and path
  statusesExist, // a status that HTTP does not have
  responsesAreFinal, // without a status from 200 on there is nothing to answer
  responsesAreDescribed, // the standard asks for it; the parser tells only the first
  mediaTypesAreNamed, // `json` is no media type
  headersCanBeSent, // a line break ends a header
  schemesAreDeclared, // a scheme that nobody declared cannot be checked
  serverVariablesAreDeclared, // an undeclared variable of a server's path takes any segment
  discriminatorsLead, // a mapping's value names a schema
];

/** Answers what every rule finds. */
export function brokenRules(definition: Definition): Remark[] {
  return rules.flatMap((rule) => [...rule(definition)]);
}

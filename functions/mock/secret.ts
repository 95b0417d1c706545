import type { Compiled } from "../../lib/compiled/compiled.ts";

const secretName =
  /authorization|cookie|token|secret|passw|credential|session|api[-_]?key|signature/i;

/** What stands in the place of a secret. */
export const mask = "***";

/** Answers whether a value of that name should not be shown: by its name, or because a security scheme looks for it. */
export function isSecret({ securitySchemes }: Compiled, name: string): boolean {
  return (
    secretName.test(name) ||
    Object.values(securitySchemes).some(
      (scheme) => scheme.type === "apiKey" && scheme.name.toLowerCase() === name.toLowerCase(),
    )
  );
}

/** Answers a request target whose secret query values are masked. */
export function maskTarget(compiled: Compiled, target: string): string {
  const mark = target.indexOf("?");
  if (mark === -1) return target;
  const pairs = target.slice(mark + 1).split("&");
  const masked = pairs.map((pair) => {
    const at = pair.indexOf("=");
    const name = at === -1 ? pair : pair.slice(0, at);
    return at !== -1 && isSecret(compiled, name) ? `${name}=${mask}` : pair;
  });
  return `${target.slice(0, mark)}?${masked.join("&")}`;
}

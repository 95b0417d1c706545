import type { Compiled, Operation, SecurityScheme } from "../compiled/compiled.ts";

/** What a request says about who sends it: made up, as a mock checks presence and form alone. */
export interface Credentials {
  readonly headers: (readonly [name: string, value: string])[];
  /** `name=value`, percent-encoded. */
  readonly query: string[];
  readonly cookies: string[];
}

/** Answers credentials for the first of an operation's requirements; none where it asks for none, or anonymous is welcome. Pure. */
export function credentialsOf(
  { security }: Operation,
  schemes: Compiled["securitySchemes"],
): Credentials {
  const credentials: Credentials = { headers: [], query: [], cookies: [] };
  if (security.some((requirement) => requirement.length === 0)) return credentials;
  for (const [name] of security[0] ?? []) {
    const scheme = schemes[name];
    if (scheme !== undefined) add(scheme, credentials);
  }
  return credentials;
}

function add(scheme: SecurityScheme, { headers, query, cookies }: Credentials): void {
  if (scheme.type === "mutualTLS") return;
  if (scheme.type === "apiKey") {
    if (scheme.in === "header") headers.push([scheme.name, "key"]);
    else (scheme.in === "query" ? query : cookies).push(`${encodeURIComponent(scheme.name)}=key`);
    return;
  }
  const kind = scheme.type === "http" ? scheme.scheme : "bearer";
  headers.push(["Authorization", values[kind] ?? `${kind} token`]);
}

const values: Readonly<Record<string, string>> = {
  bearer: "Bearer token",
  // user:password
  basic: "Basic dXNlcjpwYXNzd29yZA==",
  digest: 'Digest username="user"',
};

import type { Compiled, Operation, SecurityScheme } from "../../lib/compiled/compiled.ts";
import type { RequestHeaders } from "./exchange.ts";
import type { Manner } from "./manner.ts";

/** What credentials are looked for in. */
interface CredentialSource {
  readonly headers: RequestHeaders;
  readonly rawQuery: string;
}

/** Credentials that were asked for and not sent: the `WWW-Authenticate` field of a 401, and what was looked for. */
export interface Denial {
  readonly challenges: string;
  readonly detail: string;
}

/**
 * Answers why a request is not let in, or undefined where it is: one requirement of the list is enough, all of its schemes are
 * needed. Presence and form are checked, never a value: a mock knows no users.
 */
export function checkSecurity(
  compiled: Compiled,
  { security }: Operation,
  headers: RequestHeaders,
  { rawQuery, validate }: Manner,
): Denial | undefined {
  if (security.length === 0 || validate === "Off") return undefined;
  const source = { headers, rawQuery };
  const schemes = compiled.securitySchemes;
  const satisfied = security.some((requirement) =>
    requirement.every(([name]) => hasCredentials(schemeOf(schemes, name), source)),
  );
  if (satisfied) return undefined;
  const all = security.flatMap((requirement) =>
    requirement.flatMap(([name, { scopes }]) => {
      const scheme = schemeOf(schemes, name);
      return scheme === undefined ? [] : [{ name, scheme, scopes }];
    }),
  );
  const challenges = all.map(({ scheme, scopes }) => challenge(scheme, scopes, compiled.title));
  return {
    challenges: [...new Set(challenges)].join(", "),
    detail: `Expected ${security.map((one) => one.map(([name]) => nameScheme(name, schemeOf(schemes, name))).join(" and ")).join(", or ")}`, // oxfmt-ignore
  };
}

function schemeOf(schemes: Compiled["securitySchemes"], name: string): SecurityScheme | undefined {
  return Object.hasOwn(schemes, name) ? schemes[name] : undefined;
}

/** A scheme that the document does not define cannot be asked for; compiling finds it. */
function hasCredentials(scheme: SecurityScheme | undefined, source: CredentialSource): boolean {
  if (scheme === undefined) return true;
  if (scheme.type === "apiKey") return hasKey(scheme.in, scheme.name, source);
  // TLS ends before the mock.
  if (scheme.type === "mutualTLS") return true;
  return hasAuthorization(scheme.type === "http" ? scheme.scheme : "bearer", source.headers);
}

function hasKey(place: "header" | "query" | "cookie", name: string, source: CredentialSource) {
  if (place === "header") return (source.headers.get(name) ?? "") !== "";
  const [text, separator] =
    place === "query" ? [source.rawQuery, "&"] : [source.headers.get("cookie") ?? "", ";"];
  return text.split(separator).some((pair) => {
    const at = pair.indexOf("=");
    return at > 0 && pair.length > at + 1 && plain(pair.slice(0, at).trim()) === name;
  });
}

function plain(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function hasAuthorization(scheme: string, headers: RequestHeaders): boolean {
  const sent = headers.get("authorization") ?? "";
  const at = sent.indexOf(" ");
  if (at === -1 || sent.slice(0, at).toLowerCase() !== scheme) return false;
  const credentials = sent.slice(at + 1).trim();
  if (scheme === "basic") return isBasic(credentials);
  // RFC 6750, section 2.1: a b64token.
  if (scheme === "bearer") return /^[\w.~+/-]+=*$/.test(credentials);
  return credentials !== "";
}

/** RFC 7617: a user-id without a colon, a colon, a password that may hold more of them. */
function isBasic(credentials: string): boolean {
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(credentials)) return false;
  return Buffer.from(credentials, "base64").includes(0x3a);
}

function challenge(scheme: SecurityScheme, scopes: readonly string[], title: string): string {
  const realm = `realm=${quoted(title === "" ? "mock" : title)}`;
  if (scheme.type === "apiKey") {
    return `ApiKey ${realm}, in=${quoted(scheme.in)}, name=${quoted(scheme.name)}`;
  }
  if (scheme.type === "mutualTLS") return `MutualTLS ${realm}`;
  const name = scheme.type === "http" ? scheme.scheme : "bearer";
  if (name === "digest") {
    // A mock checks no response to it, so that one nonce is as good as another, and the same bytes each time.
    return `Digest ${realm}, nonce="apirator", qop="auth", algorithm=SHA-256`;
  }
  const scope = scopes.length === 0 ? "" : `, scope=${quoted(scopes.join(" "))}`;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${realm}${scope}`;
}

/** RFC 9110, section 5.6.4. What is not ASCII becomes a question mark. */
function quoted(text: string): string {
  return `"${text.replaceAll(/[^\x20-\x7e]/g, "?").replaceAll(/["\\]/g, "\\$&")}"`;
}

function nameScheme(name: string, scheme: SecurityScheme | undefined): string {
  if (scheme === undefined) return name;
  if (scheme.type === "apiKey") return `the ${scheme.in} ${scheme.name}`;
  if (scheme.type === "http") return `Authorization: ${scheme.scheme}`;
  return scheme.type === "mutualTLS" ? "a client certificate" : "Authorization: bearer";
}

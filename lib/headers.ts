/**
 * Answers all header fields of a request by their names in lower case, from Node's own request where the server handed it on as
 * `env.incoming`: the web's headers list themselves only after Node has loaded all of its fetch, which a start need not wait for.
 */
export function headersOf(request: Request, env: unknown): Record<string, string> {
  const { incoming } = (env ?? {}) as {
    incoming?: { headers: Readonly<Record<string, string | string[] | undefined>> };
  };
  if (incoming === undefined) return Object.fromEntries(request.headers);
  return Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [
      name,
      [value ?? []].flat().join(", "),
    ]),
  );
}

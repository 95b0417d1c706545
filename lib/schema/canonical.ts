/** Answers a text that two JSON values share exactly if JSON Schema calls them equal: members in any order, 1 and 1.0 alike. */
export function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null)
    return JSON.stringify(value === 0 ? 0 : value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.sort().join(",")}}`;
}

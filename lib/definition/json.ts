/** An object of a document. Members are read with `member`, never through the prototype. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Answers whether the value is a JSON object: no array, no null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Answers an own member, so that a document's `constructor` or `__proto__` is only what the document says. */
export function member(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
}

/** Answers a member that is an object, else undefined. */
export function objectMember(value: unknown, key: string): JsonObject | undefined {
  const found = member(value, key);
  return isObject(found) ? found : undefined;
}

/** Answers a member that is text, else undefined. */
export function textMember(value: unknown, key: string): string | undefined {
  const found = member(value, key);
  return typeof found === "string" ? found : undefined;
}

/** Answers a member that is a list, else an empty one. */
export function listMember(value: unknown, key: string): readonly unknown[] {
  const found = member(value, key);
  return Array.isArray(found) ? (found as readonly unknown[]) : [];
}

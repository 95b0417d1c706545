/** Answers the pointer of a child: `key` is escaped (RFC 6901 section 3). */
export function childPointer(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Answers the keys of a JSON Pointer (RFC 6901), unescaped; `[]` for the whole document. */
export function pointerKeys(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Answers the pointer of the given keys. */
export function pointerOf(keys: readonly (string | number)[]): string {
  return keys.reduce<string>((pointer, key) => childPointer(pointer, key), "");
}

/** Answers what the pointer names, or undefined where there is nothing. Inherited members are never found. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of pointerKeys(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

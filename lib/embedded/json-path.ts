import type { Json } from "./json.ts";
import { isList, isObject, memberOf } from "./json.ts";

const step =
  /\.?(?:\[\?\(@\.([\w.-]+)\s*==\s*(?:"([^"]*)"|'([^']*)')\)\]|\[(\d+)\]|\['([^']+)'\]|((?:\\.|[^.[\]])+))/gy;

/**
 * Answers the first value at a JSONPath as CRDs use it in columns and selectable fields: members by dots (`\.` for a dot in a name),
 * `['name']`, `[0]`, and `[?(@.type=="Ready")]`. undefined where there is none, or where the path is of another form.
 */
export function readPath(value: Json, path: string): Json | undefined {
  let at: Json | undefined = value;
  let end = 0;
  for (const match of path.matchAll(step)) {
    const [text, filter, double, single, index, quoted, name] = match;
    end = match.index + text.length;
    if (at === undefined) return undefined;
    if (filter !== undefined) {
      const wanted = double ?? single;
      at = isList(at) ? at.find((item) => readPath(item, filter) === wanted) : undefined;
    } else if (index !== undefined) at = isList(at) ? at[Number(index)] : undefined;
    else {
      const member: string = quoted ?? (name ?? "").replaceAll("\\", "");
      at = isObject(at) ? memberOf(at, member) : undefined;
    }
  }
  return end === path.length ? at : undefined;
}

import type { Compiled, Media } from "../../lib/compiled/compiled.ts";
import type { Problem } from "../../lib/problem.ts";
import { makeProblem } from "../../lib/problem.ts";
import type { Choice } from "./candidates.ts";
import { isFieldValue } from "../../lib/field-value.ts";
import type { Mock } from "./mock.ts";
import type { Chosen, Offer } from "./negotiate.ts";
import { firstType, negotiate } from "./negotiate.ts";
import { firstExample, namedExample } from "./response/example.ts";

/** What goes out as content: a media type of the document, what it is called on the wire, and which example is asked for. */
export interface Content extends Chosen {
  readonly media: Media;
  readonly example: string | undefined;
}

/** What a media type is chosen by. `example` narrows the choice to the types that have it, where any has. */
export interface ContentWish {
  readonly accept: string | null;
  readonly example: string | undefined;
}

/** Statuses that never have content (RFC 9110, section 6.4.1), whatever the document says. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** Answers the content of a response for an `Accept` field; undefined where it has none, a problem where nothing is acceptable. */
export function chooseContent(
  { compiled, contents }: Mock,
  choice: Choice,
  wish: ContentWish,
): Content | Problem | undefined {
  const { status, response } = choice;
  if (response.content.length === 0 || bodiless.has(status)) return undefined;
  // Clients say the same each time.
  const variant = `${status >= 400}\n${wish.accept}\n${wish.example}`;
  const known = contents.get(response, variant);
  if (known !== undefined) return known;
  const chosen = negotiated(compiled, choice, wish);
  contents.set(response, variant, { value: chosen, bytes: entryBytes + 2 * variant.length });
  return chosen;
}

/** What an entry of the cache takes besides its text, roughly. */
const entryBytes = 500;

function negotiated(
  compiled: Compiled,
  { status, response: { content } }: Choice,
  { accept, example }: ContentWish,
): Content | Problem {
  const having = example === undefined ? [] : content.filter(([, media]) => namedExample(media, example)); // oxfmt-ignore
  const usable = having.length > 0 ? having : content;
  const offers = usable.map(([key, media]): Offer => ({ key, kind: kindOf(compiled, key, media) }));
  const chosen = negotiate(accept, offers) ?? (status >= 400 ? firstType(offers) : undefined);
  const media = usable.find(([key]) => key === chosen?.key)?.[1];
  if (chosen === undefined || media === undefined) {
    const there = usable.map(([key]) => key).join(", ");
    return makeProblem("not-acceptable", `Accept is ${accept}; the response has ${there}`);
  }
  // Parameters that no field can carry are left out.
  const contentType = isFieldValue(chosen.contentType) ? chosen.contentType : (chosen.contentType.split(";")[0] ?? ""); // oxfmt-ignore
  return { ...chosen, contentType, media, example };
}

/** Only a key that is a range asks what its value is. */
function kindOf({ schemas }: Compiled, key: string, media: Media): Offer["kind"] {
  if (!key.includes("*")) return "structure";
  const schema = media.schema === undefined ? undefined : schemas[media.schema];
  const { format, type } = typeof schema === "object" ? schema : {};
  if (format === "binary" || format === "byte") return "bytes";
  const value = (firstExample(media) ?? media.made)?.value;
  if (value !== undefined) return typeof value === "string" ? "string" : "structure";
  if (schema === undefined) return "bytes";
  return type === "string" ? "string" : "structure";
}

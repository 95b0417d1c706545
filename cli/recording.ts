import type { Event } from "../lib/cloudevent.ts";

/** What a recording holds: its events in order, and how many lines held none. */
export interface Recording {
  readonly events: readonly Event[];
  /** Lines that are neither empty nor part of an event: a log has many, a recording none. */
  readonly skipped: number;
}

/**
 * Reads recorded CloudEvents: a JSON event, a JSON list of them (batch), a recorded request `{headers, body}` in binary or structured mode,
 * any of these a line (NDJSON), log lines that hold one (as a field of a JSON line or within text), and what Knative's `event_display` prints.
 * Never throws.
 */
export function readRecording(text: string): Recording {
  const whole = parsed(text.trim());
  if (whole !== undefined) return { events: eventsIn(whole), skipped: 0 };
  const blocks = text.split(/^(?=☁️)/mu);
  const parts = blocks.map((block) =>
    block.startsWith("☁️") ? readDisplayed(block) : readLines(block),
  );
  return {
    events: parts.flatMap((part) => part.events),
    skipped: parts.reduce((sum, part) => sum + part.skipped, 0),
  };
}

function readLines(text: string): Recording {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const found = lines.map((line) => eventsInLine(line));
  return {
    events: found.flat(),
    skipped: found.filter((events) => events.length === 0).length,
  };
}

/** How many places of a line are tried as the begin of an event. */
const attempts = 64;

function eventsInLine(line: string): Event[] {
  const value = parsed(line);
  if (value !== undefined) return eventsIn(value);
  const end = line.lastIndexOf("}") + 1;
  let begin = line.indexOf("{");
  for (let attempt = 0; begin !== -1 && attempt < attempts; attempt += 1) {
    const events = eventsIn(parsed(line.slice(begin, end)));
    if (events.length > 0) return events;
    begin = line.indexOf("{", begin + 1);
  }
  return [];
}

/** How deep an event may lie in what a log made of it. */
const deepest = 6;

function eventsIn(value: unknown, depth = 0): Event[] {
  if (typeof value === "string" && value.trimStart().startsWith("{")) {
    return depth < deepest ? eventsIn(parsed(value), depth + 1) : [];
  }
  if (typeof value !== "object" || value === null || depth > deepest) return [];
  if (Array.isArray(value)) return value.flatMap((item) => eventsIn(item, depth + 1));
  const members = value as Readonly<Record<string, unknown>>;
  if (isEvent(members)) return [members];
  const request = requested(members);
  if (request !== undefined) return [request];
  return Object.values(members).flatMap((member) => eventsIn(member, depth + 1));
}

function isEvent(members: Readonly<Record<string, unknown>>): members is Event {
  return ["specversion", "id", "source", "type"].every((name) => typeof members[name] === "string");
}

/** Answers the event of a recorded request in binary mode; a structured one is found in its body. */
function requested(members: Readonly<Record<string, unknown>>): Event | undefined {
  const { headers, body } = members;
  if (typeof headers !== "object" || headers === null) return undefined;
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(headers)) {
    const header = name.toLowerCase();
    if (header.startsWith("ce-")) attributes[header.slice(3)] = decoded(String(value));
    if (header === "content-type") attributes["datacontenttype"] = String(value);
  }
  const data = typeof body === "string" ? (parsed(body) ?? body) : body;
  const event = { ...attributes, ...(data === undefined ? {} : { data }) };
  return isEvent(event) ? event : undefined;
}

/** Reads one block of `event_display` (knative/eventing cmd/event_display). */
function readDisplayed(block: string): Recording {
  const [head = "", data = ""] = block.split(/^Data,$/m);
  const pairs = [...head.matchAll(/^ {2}([a-z0-9]+): (.*)$/gm)].map(([, name, value]) => [
    name,
    value,
  ]);
  const attributes = Object.fromEntries(pairs) as Record<string, unknown>;
  // What the log goes on with is not part of it.
  const [json] = /^\s*\{[\s\S]*^\s*\}/m.exec(data) ?? [data];
  const event = { ...attributes, data: parsed(json) };
  return isEvent(event) ? { events: [event], skipped: 0 } : { events: [], skipped: 1 };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

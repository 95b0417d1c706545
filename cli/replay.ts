import type { Event } from "../lib/cloudevent.ts";
import { keyOf } from "../lib/cloudevent.ts";
import { requestOf } from "../lib/embedded/message.ts";
import { keyText } from "../lib/names.ts";
import type { Command, Context, Given } from "./command.ts";
import { CommandError, textOption, UsageError } from "./command.ts";
import { nameOf, readText } from "./document.ts";
import { readRecording } from "./recording.ts";
import type { Target } from "./replay-target.ts";
import { clusterTarget, urlTarget, worldTarget } from "./replay-target.ts";
import type { TableColumn } from "./terminal.ts";
import { columnWidths, rowLine } from "./terminal.ts";

/** `apirator replay`: recorded events through the real function. */
export const replay: Command = {
  help: `apirator replay FILE… [--world FILE] | --cluster [--yes] [--image IMAGE] | --to URL

Sends recorded CloudEvents, in their order, through the function reconcile, and shows how each ended and what was written. A recording is a
JSON event, a list of them, one a line (NDJSON), a recorded request {headers, body}, or a log whose lines hold events. - is standard input.

Events name objects and carry nothing else that counts, so the world is built first, in memory: of the mocks in --world, and of the
objects that events of mode Resource carry (the newest state of each).

  --world FILE   APIMocks as kubectl get apimocks -o yaml prints them
  --cluster      work on the cluster of the current kubeconfig instead; shows its context and asks
  --yes          do not ask
  --image IMAGE  what mocks run there; else what the installed operator gives them
  --to URL       post the events to a function instead

Exit code 1 where an event did not end well: it would be sent again, or was refused.`,
  options: {
    world: { type: "string" },
    cluster: { type: "boolean" },
    yes: { type: "boolean", short: "y" },
    image: { type: "string" },
    to: { type: "string" },
  },
  run,
};

const columns: readonly TableColumn[] = [
  { title: "#", right: true },
  { title: "EVENT" },
  { title: "KEY" },
  { title: "OUTCOME" },
  { title: "WROTE" },
];

const titles = columns.map(({ title }) => title);

async function run(given: Given, context: Context): Promise<number> {
  const { terminal, signal } = context;
  const events = await recordedEvents(given.positionals, context);
  const target = await targetOf(given, events, context);
  if (target === undefined) return 1;
  const heads = events.map((event, index) => [
    String(index + 1),
    eventText(event),
    keyOfEvent(event),
  ]);
  const widths = columnWidths(columns, heads);
  const counts = { done: 0, retry: 0, refused: 0 };
  try {
    for (const [index, event] of events.entries()) {
      if (signal.aborted) break;
      terminal.progress(`event ${index + 1} of ${events.length}`);
      const { outcome, wrote, why } = await target.send(requestOf(event, target.url));
      terminal.progress("");
      counts[outcome] += 1;
      if (index === 0) terminal.out(terminal.paint("dim", rowLine(columns, widths, titles)));
      terminal.out(rowLine(columns, widths, [...(heads[index] ?? []), outcome, wrote]));
      if (why !== "") terminal.err(`event ${index + 1}: ${outcome}: ${why}`);
    }
  } finally {
    await target.close();
  }
  const refused = counts.refused === 0 ? "" : `, ${counts.refused} refused`;
  const number = counts.done + counts.retry + counts.refused;
  terminal.out(
    `${number} event${number === 1 ? "" : "s"}, ${counts.done} done, ${counts.retry} retry${refused}`,
  );
  return counts.retry + counts.refused > 0 ? 1 : 0;
}

async function recordedEvents(names: readonly string[], context: Context): Promise<Event[]> {
  if (names.length === 0)
    throw new UsageError("name the recordings to replay; - is standard input");
  const events: Event[] = [];
  for (const name of names) {
    const recording = readRecording(await readText(name, context));
    if (recording.events.length === 0)
      throw new CommandError(`${nameOf(name)} holds no CloudEvent; see apirator replay --help`);
    const { skipped } = recording;
    if (skipped > 0)
      context.terminal.err(
        `${nameOf(name)}: ${skipped} line${skipped === 1 ? " holds" : "s hold"} no CloudEvent, passed over`,
      );
    events.push(...recording.events);
  }
  return events;
}

async function targetOf(
  given: Given,
  events: readonly Event[],
  context: Context,
): Promise<Target | undefined> {
  const world = textOption(given, "world");
  const to = textOption(given, "to");
  const chosen = [world !== undefined, to !== undefined, given.values["cluster"] === true];
  if (chosen.filter(Boolean).length > 1)
    throw new UsageError("give one of --world, --cluster and --to");
  for (const option of ["image", "yes"])
    if (given.values[option] !== undefined && given.values["cluster"] !== true)
      throw new UsageError(`--${option} goes with --cluster`);
  if (to !== undefined) return urlTarget(to);
  if (given.values["cluster"] === true)
    return clusterTarget(
      { yes: given.values["yes"] === true, image: textOption(given, "image") },
      context,
    );
  return worldTarget(
    events,
    world === undefined ? undefined : { name: world, text: await readText(world, context) },
    context,
  );
}

/** `resource.add`, `ref.update`, `resync`; other types as they are. */
function eventText({ type }: Event): string {
  return type.replace(/^dev\.knative\.apiserver\./, "").replace(/^io\.apirator\.apimock\./, "");
}

function keyOfEvent(event: Event): string {
  const subject = keyOf(event);
  return subject === undefined ? "-" : keyText(subject);
}

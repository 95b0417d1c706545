import { Hono } from "hono";
import { type Event, eventOf } from "./cloudevent.ts";
import { headersOf } from "./headers.ts";
import { type Metrics, metricsType } from "./metrics.ts";
import { makeProblem, problemText, problemType } from "./problem.ts";

/** What a sender of events gets: never a body, which a Broker would take for a reply. */
export interface EventAnswer {
  readonly status: 204 | 503;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Answers the app of a control function: `POST /` hands a CloudEvent to `take` and answers as that does, 400 with a problem for anything else;
 * `GET /healthz`, `GET /metrics`. It knows no kinds of events.
 */
export function createEventApp(
  metrics: Metrics,
  take: (event: Event) => Promise<EventAnswer>,
): Hono {
  const app = new Hono();
  app.get("/healthz", (context) => context.body(null, 204));
  app.get("/metrics", (context) =>
    context.body(metrics.text(), 200, { "Content-Type": metricsType }),
  );
  app.post("/", async (context) => {
    const reading = eventOf({
      headers: headersOf(context.req.raw, context.env),
      body: await context.req.text(),
    });
    if (reading.kind === "none") {
      const body = problemText(makeProblem("not-a-cloudevent", reading.why));
      return context.body(body, 400, { "Content-Type": problemType });
    }
    const { status, headers } = await take(reading.event);
    return context.body(null, status, { ...headers });
  });
  return app;
}

import type { PageState } from "./page.ts";
import { pageEvents, pageText, stateText } from "./page.ts";

/** The page of `apirator dev`, and the stream that keeps it up to date. */
export interface PageApp {
  /** Answers the page's own paths; undefined for all others: they are a mock's. */
  respond(target: string): Response | undefined;
  /** Sends the state to every open page, if it differs from what was sent last. */
  changed(): void;
  /** Ends the streams. */
  close(): void;
}

/** Answers the app of the page; `state` is asked for whenever it is shown. */
export function createPageApp(state: () => PageState): PageApp {
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  let sent = "";

  const message = (text: string): Uint8Array =>
    new TextEncoder().encode(`data: ${JSON.stringify(text)}\n\n`);

  function stream(): Response {
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        own = controller;
        streams.add(controller);
        // What changed while the page was being loaded, or while it was cut off.
        controller.enqueue(message(stateText(state())));
      },
      cancel() {
        if (own !== undefined) streams.delete(own);
      },
    });
    const headers = { "Content-Type": "text/event-stream", "Cache-Control": "no-store" };
    return new Response(body, { headers });
  }

  return {
    respond(target) {
      const path = target.split("?")[0];
      if (path === pageEvents) return stream();
      if (path !== "/") return undefined;
      return new Response(pageText(state()), {
        headers: {
          "Content-Type": "text/html; charset=utf-8",
          "Cache-Control": "no-store",
          "Content-Security-Policy":
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'",
        },
      });
    },
    changed() {
      const text = stateText(state());
      if (text === sent) return;
      sent = text;
      for (const stream of streams) stream.enqueue(message(text));
    },
    close() {
      for (const stream of streams) stream.close();
      streams.clear();
    },
  };
}

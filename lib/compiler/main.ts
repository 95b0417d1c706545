import { compileText } from "./compile-text.ts";
import type { FromChild, ToChild } from "./messages.ts";

// The start of the compiler's process. It knows nothing but the text that it is sent, and ends when its parent closes the channel.
function tell(message: FromChild): void {
  process.send?.(message);
}

process.on("message", ({ job, text }: ToChild) => {
  void compileText(text).then((compilation) => tell({ job, compilation }));
});
tell("ready");

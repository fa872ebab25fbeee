// The worker that reads files dropped on the page. It sends data only back to the page.

import type { ToReader } from "./messages.ts";
import { readDropped } from "./read-dropped.ts";

addEventListener("message", ({ data }: MessageEvent<ToReader>) => {
  void readDropped(data).then((read) => {
    const bytes = read.kind === "read" ? [...read.data.calls, ...read.data.rows] : [];
    postMessage(read, { transfer: bytes.map(({ buffer }) => buffer) });
  });
});

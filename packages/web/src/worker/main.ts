// The server inside of an exported file: answers the messages of the page with the handler of `assay serve`.

import type { Handler } from "@assay/adapters-http/pure";
import type { FromWorker, ToWorker } from "./messages.ts";
import { sealedHandler } from "./sealed-handler.ts";

let opened: Promise<Handler> | undefined;
const underWay = new Map<number, AbortController>();

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "open") {
    opened = sealedHandler(data.data).catch(
      (error: Error) => async () =>
        Response.json({ detail: `the data of this file cannot be read: ${error.message}` }, { status: 500 }),
    );
  } else if (data.kind === "stop") underWay.get(data.id)?.abort();
  else void answer(data);
});

async function answer({ id, url, method, headers, body }: ToWorker & { readonly kind: "ask" }) {
  const stop = new AbortController();
  underWay.set(id, stop);
  try {
    const handler = await opened!;
    const { signal } = stop;
    const request = new Request(url, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body,
      signal,
    });
    const response = await handler(request);
    const answered: FromWorker = {
      id,
      status: response.status,
      headers: [...response.headers],
      body: await response.arrayBuffer(),
    };
    if (!signal.aborted) postMessage(answered, { transfer: [answered.body] });
  } finally {
    underWay.delete(id);
  }
}

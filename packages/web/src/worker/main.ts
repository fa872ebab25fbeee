// The server in an exported file: answers messages of the page with the handler of `assay serve`.

import type { Handler } from "@assay/adapters-http/pure";
import type { FromWorker, ToWorker } from "./messages.ts";
import { handlerOf, sealedHandler } from "./sealed-handler.ts";

type Pieces = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;

let opened: Promise<Handler> | undefined;
const incoming = new Map<"calls" | "rows", Pieces>();
const underWay = new Map<number, AbortController>();

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case "open":
      opened = readable(sealedHandler(data.data));
      break;
    case "receive":
      opened = readable(handlerOf({ ...data.facts, calls: incomingOf("calls"), rows: incomingOf("rows") }));
      break;
    case "piece":
      take(data);
      break;
    case "stop":
      underWay.get(data.id)?.abort();
      break;
    case "ask":
      void answer(data);
  }
});

function take({ of, bytes, failure }: ToWorker & { readonly kind: "piece" }): void {
  const pieces = incoming.get(of);
  if (failure !== undefined) pieces?.error(new Error(failure));
  else if (bytes !== undefined) pieces?.enqueue(bytes);
  else pieces?.close();
}

function incomingOf(kind: "calls" | "rows"): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({ start: (pieces) => void incoming.set(kind, pieces) });
}

function readable(opening: Promise<Handler>): Promise<Handler> {
  return opening.catch(
    (error: Error) => async () =>
      Response.json({ detail: `the data of this file cannot be read: ${error.message}` }, { status: 500 }),
  );
}

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

// Sends requests to the worker of an exported file, as messages.

import type { FromWorker, ToWorker } from "../../worker/messages.ts";
import type { Ask } from "./ask.ts";

interface Waiting {
  answered(response: Response): void;
  failed(error: unknown): void;
}

/** Answers with a worker, as soon as it has its data. */
export function workerTransport(starting: Promise<Worker>): Ask {
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  const listening = starting.then((worker) => {
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      const { id, status, headers, body } = data;
      const init = { status, headers: headers.map(([name, value]): [string, string] => [name, value]) };
      waiting.get(id)?.answered(new Response(status === 204 ? null : body, init));
      waiting.delete(id);
    });
    worker.addEventListener("error", (event) => {
      for (const { failed } of waiting.values()) failed(new Error(event.message));
      waiting.clear();
    });
    return worker;
  });
  return async (request) => {
    const { url, method, headers, signal } = request;
    const body = method === "GET" ? null : await request.arrayBuffer();
    const worker = await listening;
    signal.throwIfAborted();
    const id = asked++;
    const post = (message: ToWorker) => worker.postMessage(message, body === null ? [] : [body]);
    return new Promise<Response>((answered, failed) => {
      waiting.set(id, { answered, failed });
      signal.addEventListener("abort", () => {
        if (!waiting.delete(id)) return;
        worker.postMessage({ kind: "stop", id } satisfies ToWorker);
        failed(signal.reason);
      });
      post({ kind: "ask", id, url, method, headers: [...headers], body });
    });
  };
}

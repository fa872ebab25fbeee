// The page of an exported file. It is drawn immediately; its data and workers follow in the file, in blocks of base64
// that browsers do not run, and are read once the file has loaded.

import type { FileFacts, ToWorker } from "../worker/messages.ts";
import { mountPage } from "./main.tsx";
import type { StartPageWorker } from "./transport/page-workers.ts";
import { startWorker } from "./transport/trusted-worker.ts";
import { workerTransport } from "./transport/worker-transport.ts";

const { project, evaluations, directions, made, picked } = JSON.parse(
  new TextDecoder().decode(bytesOf("facts")[0]),
) as FileFacts;
const count = evaluations.length;
const file = `file of ${made.slice(0, 10)}, ${count} ${count === 1 ? "evaluation" : "evaluations"}`;
const addresses = new Map<string, Promise<string>>();

const startPageWorker: StartPageWorker = async (which) => {
  await wholeFile();
  const address = addresses.get(which) ?? scriptOf(which);
  addresses.set(which, address);
  return startWorker(await address, "classic");
};

mountPage(document.querySelector("#page")!, workerTransport(startAnswering()), {
  file,
  ...(picked === true && { picked }),
  titled: true,
  startPageWorker,
});

async function startAnswering(): Promise<Worker> {
  const worker = await startPageWorker("worker");
  const tell = (message: ToWorker, moved: Transferable[] = []): void => worker.postMessage(message, moved);
  tell({ kind: "receive", facts: { project, evaluations, directions } });
  void sendData(tell);
  return worker;
}

/** Unpacks the data on this thread while the worker reads the unpacked part: the page is idle until then anyway. */
async function sendData(tell: (message: ToWorker, moved?: Transferable[]) => void): Promise<void> {
  for (const of of ["calls", "rows"] as const) {
    try {
      const unpacked = new Blob(bytesOf(of))
        .stream()
        .pipeThrough(new DecompressionStream("gzip"))
        .getReader();
      for (let read = await unpacked.read(); !read.done; read = await unpacked.read())
        tell({ kind: "piece", of, bytes: read.value }, [read.value.buffer]);
      tell({ kind: "piece", of });
    } catch (error) {
      tell({ kind: "piece", of, failure: error instanceof Error ? error.message : String(error) });
    }
  }
}

async function wholeFile(): Promise<void> {
  if (document.readyState === "loading")
    await new Promise((read) => document.addEventListener("DOMContentLoaded", read, { once: true }));
}

async function scriptOf(kind: string): Promise<string> {
  const script = new Blob(bytesOf(kind)).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = await new Response(script).arrayBuffer();
  return URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));
}

/** Takes the blocks of a kind out of the document, in order, so that a large file is not in memory twice. */
function bytesOf(kind: string): readonly Uint8Array<ArrayBuffer>[] & BlobPart[] {
  return Array.from(document.querySelectorAll(`script[data-holds="${kind}"]`), (block) => {
    const bytes = fromBase64(block.textContent);
    block.remove();
    return bytes;
  });
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  // The browser's own method takes a tenth of the time, but not all browsers have it.
  const own = Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  return own.fromBase64?.(text) ?? Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

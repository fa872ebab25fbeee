// The page of an exported file. It is drawn at once; its data and its worker stand behind it in the file, in blocks of
// base64 that no browser runs, and are read when the file has been.

import type { FileFacts, ToWorker } from "../worker/messages.ts";
import { sealedAsk } from "./ask/sealed.ts";
import { mountPage } from "./main.tsx";

const facts = JSON.parse(new TextDecoder().decode(bytesOf("facts")[0])) as FileFacts;
const count = facts.evaluations.length;
const file = `file of ${facts.made.slice(0, 10)}, ${count} ${count === 1 ? "evaluation" : "evaluations"}`;
mountPage(document.querySelector("#page")!, sealedAsk(startWorker()), { file });

async function startWorker(): Promise<Worker> {
  if (document.readyState === "loading")
    await new Promise((read) => document.addEventListener("DOMContentLoaded", read, { once: true }));
  const script = URL.createObjectURL(new Blob(bytesOf("worker"), { type: "text/javascript" }));
  // The one address that the page may run a script of. The content security policy lets no other policy be made.
  const trusted = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("assay-worker", {
    createScriptURL(url) {
      if (url === script) return url;
      throw new TypeError("only the worker of the file is run");
    },
  });
  const worker = new Worker(trusted?.createScriptURL(script) ?? script);
  const [calls, rows] = [bytesOf("calls"), bytesOf("rows")];
  const message: ToWorker = { kind: "open", data: { facts, calls, rows } };
  worker.postMessage(
    message,
    [...calls, ...rows].map(({ buffer }) => buffer),
  );
  return worker;
}

/** The blocks of a kind, in order, which are then gone from the document: a large file is not kept twice. */
function bytesOf(kind: string): readonly Uint8Array<ArrayBuffer>[] & BlobPart[] {
  return Array.from(document.querySelectorAll(`script[data-holds="${kind}"]`), (block) => {
    const bytes = fromBase64(block.textContent);
    block.remove();
    return bytes;
  });
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  // The browser's own way takes a tenth of the time, and is not in all of them yet.
  const own = Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  return own.fromBase64?.(text) ?? Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Trusted Types, as far as they are used; not every browser has them. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

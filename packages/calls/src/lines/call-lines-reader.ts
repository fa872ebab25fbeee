// Reads lines of calls: the first ones on the calling thread, and those of a long import on a separate thread, so that
// parsing and its garbage collection do not block the calling thread, which also answers requests in a server.

import { Worker } from "node:worker_threads";
import { Fault } from "@assay/base";
import type { CallText } from "../ports/call-writer.ts";
import type { BlockToRead, ReadBlock } from "./call-lines-thread.ts";
import type { LineBlock } from "./line-blocks.ts";
import { callTexts, readCallLines } from "./read-call-lines.ts";
import type { ReadItems } from "./read-line.ts";

/** Reads blocks of lines. Close it after the last one. */
export interface CallLinesReader {
  /** The calls in a block. Can be called again before it resolves; results come in order. */
  read(block: LineBlock): Promise<ReadItems<CallText>>;
  close(): Promise<void>;
}

// Parsed values become garbage immediately: with a larger young generation, fewer of them are moved before they die.
const YOUNG_MB = 64;

/** A reader for lines of up to `longest` bytes, which starts its thread after `threadFrom` bytes. */
export function callLinesReader(longest: number, threadFrom: number): CallLinesReader {
  let size = 0;
  let thread: CallLinesReader | undefined;
  return {
    async read(block) {
      size += block?.length ?? 0;
      if (size >= threadFrom && CAN_START) thread ??= threadReader(longest);
      if (thread !== undefined) return thread.read(block);
      return callTexts(block, await readCallLines(block, longest));
    },
    close: async () => thread?.close(),
  };
}

// Node does not run TypeScript here, so without a build everything is read on the calling thread.
const CAN_START = import.meta.url.endsWith(".js");

interface Waiting {
  readonly resolve: (items: ReadItems<CallText>) => void;
  readonly reject: (error: unknown) => void;
}

function threadReader(longest: number): CallLinesReader {
  const worker = new Worker(new URL("./call-lines-thread.js", import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const waiting: Waiting[] = [];
  let failure: Fault | undefined;
  const fail = (cause: unknown): void => {
    failure ??= new Fault("unavailable", "the thread that reads lines has ended", { cause });
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.on("message", ({ block, calls }: ReadBlock) => {
    waiting.shift()!.resolve(callTexts(block, calls));
  });
  worker.on("error", fail);
  worker.on("exit", fail);
  return {
    read(block) {
      if (failure !== undefined) return Promise.reject(failure);
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        const message: BlockToRead = { block, longest };
        worker.postMessage(message, block === undefined ? [] : [block.buffer]);
      });
    },
    async close() {
      await worker.terminate();
    },
  };
}

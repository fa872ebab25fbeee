// Compresses large writes: the first megabytes on the calling thread, the rest in a worker thread, so that compression
// does not block the calling thread, which also answers requests in a server.

import { Worker } from "node:worker_threads";
import { Fault } from "@assay/base";
import { timeSlice } from "@assay/base/internal";
import { type BlockFormat, blockIn, concatBlocks, type Pieces } from "./compress-pieces.ts";
import type { CompressedPieces, PiecesToCompress } from "./compress-thread.ts";

/** How many bytes a process compresses before it starts the thread, and how long that then waits for more. */
const [THREAD_FROM, IDLE_MS] = [8 * 1024 * 1024, 2000];
/** How many buffers are kept for `roomFor`: as many as are compressed at a time. */
const SPARE = 2;
/** The maximum size of the thread's young generation in MiB: it creates few objects, and V8 would take 16 MiB. */
const YOUNG_MB = 2;

// Node does not run TypeScript here, so without a build everything is compressed on the calling thread.
const CAN_START = import.meta.url.endsWith(".js");

interface Thread {
  compress(format: BlockFormat, pieces: Pieces): Promise<Pieces>;
}

let total = 0;
let thread: Thread | undefined;
const spare: ArrayBufferLike[] = [];

/** Memory of this size to fill for `compress`. */
export function bufferFor(size: number): Uint8Array {
  const i = spare.findIndex(({ byteLength }) => byteLength >= size);
  return new Uint8Array(i === -1 ? new ArrayBuffer(size) : spare.splice(i, 1)[0]!, 0, size);
}

/** Compresses each piece to a block. Their bytes are from `roomFor`, and must not be used afterwards. */
export async function compress(format: BlockFormat, pieces: Pieces): Promise<Pieces> {
  total += pieces.bytes.length;
  if (total >= THREAD_FROM && CAN_START) {
    thread ??= startThread();
    return thread.compress(format, pieces);
  }
  const pause = timeSlice();
  const blocks: Uint8Array[] = [];
  for (let i = 0; i < pieces.ends.length; i++) {
    const turn = pause();
    if (turn !== undefined) await turn;
    blocks.push(blockIn(format, pieces, i));
  }
  const compressed = concatBlocks(blocks);
  keep(pieces.bytes.buffer);
  return compressed;
}

function keep(buffer: ArrayBufferLike): void {
  if (spare.push(buffer) > SPARE) spare.shift();
}

interface Waiting {
  readonly resolve: (pieces: Pieces) => void;
  readonly reject: (error: unknown) => void;
}

function startThread(): Thread {
  const worker = new Worker(new URL("./compress-thread.js", import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const waiting: Waiting[] = [];
  let end: NodeJS.Timeout | undefined;
  const forget = (): void => {
    if (thread === started) thread = undefined;
  };
  const fail = (cause: unknown): void => {
    forget();
    const failure = new Fault("unavailable", "the thread that compresses has ended", { cause });
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.on("message", ({ compressed, buffer }: CompressedPieces) => {
    keep(buffer);
    waiting.shift()!.resolve(compressed);
    if (waiting.length > 0) return;
    // An idle thread does not keep the process running.
    worker.unref();
    end = setTimeout(() => {
      forget();
      spare.length = 0;
      void worker.terminate();
    }, IDLE_MS).unref();
  });
  worker.on("error", fail);
  worker.on("exit", fail);
  const started: Thread = {
    compress(format, pieces) {
      clearTimeout(end);
      worker.ref();
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        const message: PiecesToCompress = { format, pieces };
        worker.postMessage(message, [pieces.bytes.buffer as ArrayBuffer]);
      });
    },
  };
  return started;
}

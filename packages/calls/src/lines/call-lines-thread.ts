// The worker thread of `callLinesReader`.

import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { LineBlock } from "./line-blocks.ts";
import { type BlockCalls, readCallLines } from "./read-call-lines.ts";

/** Lines to read. */
export interface BlockToRead {
  readonly block: LineBlock;
  /** The maximum length of a line in bytes. */
  readonly longest: number;
}

/** The results, and the lines, whose memory the thread returns. */
export interface ReadBlock {
  readonly block: LineBlock;
  readonly calls: BlockCalls;
}

lowerPriority();

let reading: Promise<void> = Promise.resolve();

// In order, although long lines are read asynchronously.
parentPort?.on("message", (message: BlockToRead) => {
  reading = reading.then(() => answer(message));
});

async function answer({ block, longest }: BlockToRead): Promise<void> {
  const calls = await readCallLines(block, longest);
  const read: ReadBlock = { block, calls };
  const moved = block === undefined ? [] : [block.buffer];
  parentPort!.postMessage(read, [...moved, calls.lines.buffer]);
}

/** Gives the main thread precedence, on systems where threads have separate priorities. */
function lowerPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The system forbids it: all threads stay equal.
  }
}

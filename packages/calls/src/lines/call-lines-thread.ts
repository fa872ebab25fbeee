// The thread of `callLinesReader`, which only reads lines of calls.

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

/** What was read, and the lines, whose memory is returned. */
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

/** Lets the thread that writes and answers go first, where threads have priorities of their own. */
function lowerPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The system forbids it: all threads stay equal.
  }
}

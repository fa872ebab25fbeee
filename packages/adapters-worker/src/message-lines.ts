// Messages on a pipe: one JSON object per line. Lines are bounded, so that no worker fills this process's memory.

import { bad, type Result } from "@assay/base";
import { lineSplitter } from "@assay/base/internal";
import type { WorkerMessage } from "@assay/training-core";
import { readWorkerMessage } from "@assay/training-core/internal";

/** The longest line that is read, in characters: a step with the most metrics that it may have fits. */
const LONGEST_LINE = 1024 * 1024;

/**
 * The messages in `bytes`, each as it is read; empty lines are none. Ends with the first that is not valid, whose issue
 * has the code `worker_message`, and with the bytes, a last line without an end included.
 */
export async function* messageLines(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Result<WorkerMessage>, void> {
  const decoder = new TextDecoder();
  const splitter = lineSplitter(LONGEST_LINE);
  for await (const piece of bytes) {
    for (const line of splitter.push(decoder.decode(piece, { stream: true }))) {
      const read = readLine(line);
      if (read !== undefined) yield read;
      if (read?.ok === false) return;
    }
  }
  for (const line of [...splitter.push(decoder.decode()), ...splitter.end()]) {
    const read = readLine(line);
    if (read !== undefined) yield read;
    if (read?.ok === false) return;
  }
}

function readLine(text: string | undefined): Result<WorkerMessage> | undefined {
  if (text === undefined) return unreadable(`a line is longer than ${LONGEST_LINE} characters`);
  if (text.trim() === "") return undefined;
  try {
    return readWorkerMessage(JSON.parse(text));
  } catch {
    return unreadable("a line is not JSON");
  }
}

function unreadable(message: string): Result<never> {
  return bad([{ code: "worker_message", path: [], message }]);
}

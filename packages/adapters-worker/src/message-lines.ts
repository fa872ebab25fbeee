// Messages on a pipe: one JSON object per line. Lines have a maximum length, so that no worker can fill this process's
// memory.

import { bad, type Result } from "@assay/base";
import { lineSplitter } from "@assay/base/internal";
import type { WorkerMessage } from "@assay/training-core";
import { readWorkerMessage } from "@assay/training-core/internal";

/** The most characters of a line: enough for a step with the maximum number of metrics. */
const LONGEST_LINE = 1024 * 1024;

/**
 * The messages in `bytes`, as they are read; empty lines are skipped. It ends with the first invalid message, whose
 * issue has the code `worker_message`, or with the bytes, including an unterminated last line.
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

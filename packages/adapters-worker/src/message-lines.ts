// Messages on a pipe: one JSON object per line. Lines are bounded, so that no worker fills this process's memory.

import { bad, type Result } from "@assay/base";
import { readWorkerMessage, type WorkerMessage } from "@assay/training-core";

/** The longest line that is read, in bytes: a step with the most metrics that it may have fits. */
const LONGEST_LINE = 1024 * 1024;

/**
 * The messages in `bytes`, each as it is read; empty lines are none. Ends with the first that makes no sense, whose
 * issue has the code `worker_message`, and with the bytes, a last line without an end included.
 */
export async function* messageLines(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Result<WorkerMessage>, void> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const line = () => {
    const text = Buffer.concat(parts).toString("utf8");
    parts = [];
    length = 0;
    return text;
  };
  for await (const piece of bytes) {
    let from = 0;
    for (;;) {
      const end = piece.indexOf(10, from);
      const part = piece.subarray(from, end < 0 ? piece.length : end);
      parts.push(part);
      length += part.length;
      if (length > LONGEST_LINE) {
        yield unreadable(`a line is longer than ${LONGEST_LINE} bytes`);
        return;
      }
      if (end < 0) break;
      from = end + 1;
      const read = readLine(line());
      if (read !== undefined) yield read;
      if (read?.ok === false) return;
    }
  }
  const last = readLine(line());
  if (last !== undefined) yield last;
}

function readLine(text: string): Result<WorkerMessage> | undefined {
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

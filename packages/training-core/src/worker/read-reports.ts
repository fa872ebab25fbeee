// Reads reports of a remote worker: several messages of one run in one body.

import { bad, ok, type Result } from "@assay/base";
import { readWorkerMessage } from "../job/worker-message.ts";
import type { WorkerReport } from "./report.ts";

/** Messages of a remote worker. */
export interface WorkerReports {
  /** The run that it reports for. */
  readonly attempt: number;
  /** One or more messages, in order. */
  readonly messages: readonly WorkerReport[];
}

/** The most messages in one request. */
const MOST_MESSAGES = 1000;

/**
 * Reads the messages of a remote worker: `{ attempt, messages }`. Issues: `type`, and `worker_message` for a message.
 */
export function readReports(raw: unknown): Result<WorkerReports> {
  const { attempt, messages } = (raw ?? {}) as Record<string, unknown>;
  if (!Number.isSafeInteger(attempt)) {
    return bad([
      { code: "type", path: ["attempt"], message: "attempt must be the number that came with the task" },
    ]);
  }
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > MOST_MESSAGES) {
    return bad([
      {
        code: "type",
        path: ["messages"],
        message: `messages must be a list of 1 to ${MOST_MESSAGES} messages`,
      },
    ]);
  }
  const read = messages.map((one: unknown): Result<WorkerReport> => {
    const stopped = typeof one === "object" && one !== null && (one as { type?: unknown }).type === "stopped";
    return stopped ? ok({ type: "stopped" }) : readWorkerMessage(one);
  });
  const issues = read.flatMap((one, i) =>
    one.ok ? [] : one.issues.map((issue) => ({ ...issue, path: ["messages", i, ...issue.path] })),
  );
  if (issues.length > 0) return bad(issues.slice(0, 20));
  return ok({ attempt: attempt as number, messages: read.flatMap((one) => (one.ok ? [one.value] : [])) });
}

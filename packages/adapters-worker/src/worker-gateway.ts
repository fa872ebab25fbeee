// The gateway, where a worker that was started elsewhere gets its one task, reports progress and uploads its files.
// Messages and paths are those of the server's worker protocol; the address of a run authenticates its worker.

import { randomBytes } from "node:crypto";
import { Fault, type Issue } from "@assay/base";
import type { ArtifactStore, TrainingTask, WorkerReport } from "@assay/training-core";
import { dataOf, readReports } from "@assay/training-core/internal";
import { byteStream } from "./byte-stream.ts";

/** One run at the gateway. */
interface GatewayRun {
  /** Where its worker finds it, below the address of the gateway: `/runs/<secret>`. */
  readonly path: string;
  /** The worker's new messages, in order; waits until there are some, or `signal` is aborted. */
  nextReports(signal: AbortSignal): Promise<readonly WorkerReport[]>;
  /** From now on, answers every message of its worker with the request to stop. */
  stop(): void;
  /** Removes the run. */
  close(): void;
}

/** Serves tasks to workers that were started elsewhere. */
export interface WorkerGateway {
  /** Answers a request below `/runs/`, wherever it is mounted. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Makes a task available to one worker, until it is closed. */
  open(task: TrainingTask): GatewayRun;
}

/** The most bytes of a body of messages, and the most unread reports. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_WAITING = 2000;

interface Run {
  readonly task: TrainingTask;
  readonly waiting: WorkerReport[];
  wake: () => void;
  stopping: boolean;
  steps: number;
}

/**
 * A gateway to `artifacts`. For each run: `GET …/task`, `GET …/files/{sha256}` (its parent's files and its data),
 * `POST …/files` (one file of the checkpoint), `POST …/messages` (`{attempt, messages}`, answered with `stop`).
 */
export function workerGateway(
  artifacts: Pick<ArtifactStore, "read" | "write">,
  onError: (error: unknown) => void = () => {},
): WorkerGateway {
  const runs = new Map<string, Run>();

  const answer = async (request: Request): Promise<Response> => {
    const found = /\/runs\/([\w-]{32})\/(.+)$/.exec(new URL(request.url).pathname);
    const run = runs.get(found?.[1] ?? "");
    if (run === undefined) return refusal(404, "there is no such run");
    const asked = `${request.method} ${found?.[2]}`;
    if (asked === "GET task") return Response.json(run.task);
    if (asked === "POST messages") return messages(run, request);
    if (asked === "POST files") return Response.json(await artifacts.write(piecesOf(request)));
    const sha256 = /^GET files\/([0-9a-f]{64})$/.exec(asked)?.[1];
    const blob = blobsOf(run.task).find((one) => one.sha256 === sha256);
    if (blob === undefined) return refusal(404, "there is nothing here");
    return new Response(byteStream(artifacts.read(blob.sha256)), {
      headers: { "content-type": "application/octet-stream", "content-length": String(blob.size) },
    });
  };

  return {
    async fetch(request) {
      try {
        return await answer(request);
      } catch (error) {
        onError(error);
        return refusal(statusOf(error), "internal server error");
      }
    },

    open(task) {
      const secret = randomBytes(24).toString("base64url");
      const run: Run = {
        task,
        waiting: [],
        wake: () => {},
        stopping: false,
        steps: task.steps_reported,
      };
      runs.set(secret, run);
      return {
        path: `/runs/${secret}`,
        nextReports: (signal) =>
          new Promise((resolve) => {
            const end = () => {
              signal.removeEventListener("abort", end);
              run.wake = () => {};
              resolve(run.waiting.splice(0));
            };
            if (run.waiting.length > 0 || signal.aborted) return end();
            run.wake = end;
            signal.addEventListener("abort", end, { once: true });
          }),
        stop() {
          run.stopping = true;
        },
        close() {
          runs.delete(secret);
        },
      };
    },
  };
}

async function messages(run: Run, request: Request): Promise<Response> {
  if (run.waiting.length > MOST_WAITING) return refusal(503, "earlier messages have not been processed yet");
  const read = readReports(await json(request));
  if (!read.ok) return Response.json({ detail: detailOf(read.issues) }, { status: 422 });
  const state = "running";
  if (read.value.attempt !== run.task.attempt) {
    return Response.json(
      { verdict: "owner_lost", stop: true, state, steps_reported: run.steps },
      { status: 409 },
    );
  }
  for (const report of read.value.messages) {
    if (report.type === "step") run.steps = Math.max(run.steps, report.step);
    run.waiting.push(report);
  }
  run.wake();
  return Response.json({ verdict: "applied", stop: run.stopping, state, steps_reported: run.steps });
}

/** The JSON of a body; undefined if it is too large or invalid. */
async function json(request: Request): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const piece of piecesOf(request)) {
    size += piece.length;
    if (size > MOST_BYTES) return undefined;
    parts.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    return undefined;
  }
}

function piecesOf({ body }: Request): AsyncIterable<Uint8Array> | readonly Uint8Array[] {
  return (body as AsyncIterable<Uint8Array> | null) ?? [];
}

function blobsOf({ parent, spec }: TrainingTask) {
  return [...parent.files, ...dataOf(spec)];
}

function detailOf(issues: readonly Issue[]) {
  return issues.map(({ code, path, message }) => ({ loc: ["body", ...path], msg: message, type: code }));
}

function refusal(status: number, detail: string): Response {
  return Response.json({ detail }, { status });
}

/** The status for a failure: a worker retries if the disk failed. */
function statusOf(error: unknown): number {
  if (!(error instanceof Fault)) return 500;
  if (error.code === "exhausted") return 507;
  return error.file === undefined ? 500 : 503;
}

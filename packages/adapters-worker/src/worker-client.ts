// The client of the worker protocol: takes jobs of a server, fetches their files, reports progress and sends their
// results. One request each; `runWorker` decides what is retried.

import { createHash } from "node:crypto";
import { Fault, type FaultCode } from "@assay/base";
import type { ReportReply, TrainingTask, WorkerReport } from "@assay/training-core";
import type { JobState, Verdict } from "@assay/training-core/internal";
import { byteStream } from "./byte-stream.ts";
import type { JobFiles } from "./work-folder.ts";

/** Where the server is. */
export interface WorkerClientOptions {
  /** Its address, such as `http://127.0.0.1:8080`; paths are put behind it. */
  readonly server: string;
  /** The API key; none by default. */
  readonly key?: string | undefined;
  /** How requests are made. That of this process by default. */
  readonly fetch?: typeof fetch | undefined;
}

/** Who takes jobs, and which. */
export interface Wish {
  /** The worker's name, for people: 1 to 128 characters. */
  readonly worker: string;
  /** Kinds of jobs: `sft`, `rl`. All when absent. */
  readonly kinds?: readonly string[] | undefined;
  /** Base models. All when absent. */
  readonly baseModels?: readonly string[] | undefined;
}

/** What a claim is answered with. */
interface Claimed {
  /** The job that was taken, if there was one. */
  readonly task: TrainingTask | undefined;
  /** How often the server wants to hear of it, in milliseconds. */
  readonly heartbeatMs: number;
}

/**
 * A server's worker protocol. Methods throw a `Fault`: `unavailable`, `timeout` or `overloaded` when it may go well
 * later, `denied` when the key is refused, `missing` when there is no such job, `corrupt` when an answer is not valid.
 */
export interface WorkerClient {
  /** Takes a job, waiting up to `waitSeconds` for one. */
  claim(wish: Wish, waitSeconds: number, signal: AbortSignal): Promise<Claimed>;
  /** Says what the worker of this run has to say. */
  tell(
    task: Pick<TrainingTask, "job_id" | "attempt">,
    said: readonly WorkerReport[],
    signal: AbortSignal,
  ): Promise<ReportReply>;
  /** The files of a job. What is read is what its name says; bytes that can be read again are sent again when that helps. */
  files(jobId: string): JobFiles;
}

/** How long an answer may take, other than a long poll. */
const ANSWER_MS = 60_000;
/** How often the same file is sent. */
const MOST_UPLOADS = 4;

/** The client of the server in `options`. */
export function workerClient({ server, key, fetch: ask = fetch }: WorkerClientOptions): WorkerClient {
  const base = `${server.replace(/\/+$/, "")}/v1/preview`;
  const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };

  const send = async (path: string, init: RequestInit): Promise<Response> => {
    try {
      return await ask(base + path, {
        ...init,
        headers: { ...authorization, ...(init.headers as Record<string, string> | undefined) },
      });
    } catch (error) {
      const code = (error as { name?: unknown }).name === "TimeoutError" ? "timeout" : "unavailable";
      throw Fault.from(error, code, "the server cannot be reached");
    }
  };
  const post = (path: string, body: unknown, signal: AbortSignal, ms: number) =>
    send(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ms)]),
    });

  const upload = async (path: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => {
    const headers = { "content-type": "application/octet-stream" };
    const init = { method: "POST", headers, body: byteStream(bytes), duplex: "half" as const };
    const { sha256, size } = await accepted(await send(path, init));
    if (typeof sha256 !== "string" || typeof size !== "number") throw senseless();
    return { sha256, size };
  };

  return {
    async claim({ worker, kinds, baseModels }, waitSeconds, signal) {
      const wish = { worker, kinds, base_models: baseModels };
      const path = `/worker/claim?wait=${waitSeconds}`;
      const body = await accepted(await post(path, wish, signal, waitSeconds * 1000 + ANSWER_MS));
      const seconds = (body["lease"] as { heartbeat_seconds?: unknown } | undefined)?.heartbeat_seconds;
      if (typeof seconds !== "number" || !(seconds > 0)) throw senseless();
      return { task: readTask(body["task"]), heartbeatMs: seconds * 1000 };
    },

    async tell({ job_id, attempt }, messages, signal) {
      const response = await post(`${job(job_id)}/messages`, { attempt, messages }, signal, ANSWER_MS);
      // A refusal that has a verdict is an answer like any other.
      const body = response.status === 409 ? await json(response) : await accepted(response);
      const { verdict, stop, state, steps_reported: steps } = body;
      if (typeof verdict !== "string" || typeof stop !== "boolean" || typeof steps !== "number") {
        throw senseless();
      }
      return { verdict: verdict as Verdict, stop, state: state as JobState, steps };
    },

    files: (jobId) => ({
      async *read(sha256) {
        const response = await send(`${job(jobId)}/files/${sha256}`, {});
        if (!response.ok || response.body === null) throw await refused(response);
        const digest = createHash("sha256");
        try {
          for await (const piece of response.body as AsyncIterable<Uint8Array>) {
            digest.update(piece);
            yield piece;
          }
        } catch (error) {
          throw Fault.from(error, "unavailable", "a file of the job broke off");
        }
        if (digest.digest("hex") !== sha256) throw new Fault("corrupt", "a file of the job came damaged");
      },
      async write(bytes) {
        // A generator is its own iterator: it can be read once.
        const again = Symbol.asyncIterator in bytes && !Object.is(bytes[Symbol.asyncIterator](), bytes);
        for (let tried = 1; ; tried++) {
          try {
            return await upload(`${job(jobId)}/files`, bytes);
          } catch (error) {
            if (!(error instanceof Fault && error.retryable) || !again || tried === MOST_UPLOADS) throw error;
          }
        }
      },
    }),
  };
}

function job(id: string): string {
  return `/training-jobs/${encodeURIComponent(id)}`;
}

/** A task, as far as its form matters here; the rest is for the trainer. */
function readTask(raw: unknown): TrainingTask | undefined {
  if (raw === null || raw === undefined) return undefined;
  const { job_id, attempt, model, parent, spec } = raw as Partial<TrainingTask>;
  const sound =
    typeof job_id === "string" &&
    typeof attempt === "number" &&
    typeof model === "object" &&
    Array.isArray(parent?.files) &&
    (spec?.kind === "rl" || spec?.kind === "sft");
  if (!sound) throw senseless();
  return raw as TrainingTask;
}

/** The JSON object of an answer that is not a refusal. */
async function accepted(response: Response): Promise<Readonly<Record<string, unknown>>> {
  if (!response.ok) throw await refused(response);
  return json(response);
}

async function json(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const body: unknown = await response.json().catch((error: unknown) => {
    throw new Fault("unavailable", "an answer of the server broke off", { cause: error });
  });
  if (typeof body !== "object" || body === null) throw senseless();
  return body as Readonly<Record<string, unknown>>;
}

const CODES: Readonly<Record<number, FaultCode>> = {
  401: "denied",
  403: "denied",
  404: "missing",
  409: "conflict",
  408: "timeout",
  429: "overloaded",
};

async function refused(response: Response): Promise<Fault> {
  // Read to its end, so that the connection can be used again.
  await response.text().catch(() => {});
  const code = CODES[response.status] ?? (response.status >= 500 ? "unavailable" : "corrupt");
  return new Fault(code, `the server answered with status ${response.status}`);
}

function senseless(): Fault {
  return new Fault("corrupt", "an answer of the server is not valid");
}

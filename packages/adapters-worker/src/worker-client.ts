// The client of the worker protocol: claims jobs of a server, downloads their files, reports progress and uploads
// results. Each method sends one request; `runWorker` decides what to retry.

import { createHash } from "node:crypto";
import { Fault, type FaultCode } from "@assay/base";
import type { ReportReply, TrainingTask, WorkerReport } from "@assay/training-core";
import type { JobState, Verdict } from "@assay/training-core/internal";
import { byteStream } from "./byte-stream.ts";
import type { JobFiles } from "./work-folder.ts";

/** How to reach the server. */
export interface WorkerClientOptions {
  /** Its address, such as `http://127.0.0.1:8080`; paths are appended to it. */
  readonly server: string;
  /** The API key. Default: none. */
  readonly key?: string | undefined;
  /** Sends requests. Default: this process's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** A worker, and the jobs it takes. */
export interface ClaimRequest {
  /** The worker's name, for people: 1 to 128 characters. */
  readonly worker: string;
  /** Kinds of jobs: `sft`, `rl`. Default: all. */
  readonly kinds?: readonly string[] | undefined;
  /** Base models. Default: all. */
  readonly baseModels?: readonly string[] | undefined;
}

/** The answer to a claim. */
interface Claimed {
  /** The claimed job, if there was one. */
  readonly task: TrainingTask | undefined;
  /** How often to report, in milliseconds. */
  readonly heartbeatMs: number;
}

/**
 * A server's worker protocol. Methods throw a `Fault`: `unavailable`, `timeout` or `overloaded` if a retry may
 * succeed, `denied` if the key is refused, `missing` if the job does not exist, `corrupt` if an answer is invalid.
 */
export interface WorkerClient {
  /** Claims a job, waiting up to `waitSeconds` for one. */
  claim(request: ClaimRequest, waitSeconds: number, signal: AbortSignal): Promise<Claimed>;
  /** Sends the messages of this run's worker. */
  tell(
    task: Pick<TrainingTask, "job_id" | "attempt">,
    messages: readonly WorkerReport[],
    signal: AbortSignal,
  ): Promise<ReportReply>;
  /**
   * The files of a job. Bytes read are checked against their digest; bytes that can be read again are sent again after
   * a failure.
   */
  files(jobId: string): JobFiles;
}

/** The timeout of an answer, except for long polls. */
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
      const request = { worker, kinds, base_models: baseModels };
      const path = `/worker/claim?wait=${waitSeconds}`;
      const body = await accepted(await post(path, request, signal, waitSeconds * 1000 + ANSWER_MS));
      const seconds = (body["lease"] as { heartbeat_seconds?: unknown } | undefined)?.heartbeat_seconds;
      if (typeof seconds !== "number" || !(seconds > 0)) throw senseless();
      return { task: readTask(body["task"]), heartbeatMs: seconds * 1000 };
    },

    async tell({ job_id, attempt }, messages, signal) {
      const response = await post(`${job(job_id)}/messages`, { attempt, messages }, signal, ANSWER_MS);
      // A refusal with a verdict is an ordinary answer.
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
          throw Fault.from(error, "unavailable", "the download of a job's file was interrupted");
        }
        if (digest.digest("hex") !== sha256)
          throw new Fault("corrupt", "a downloaded file of the job is damaged");
      },
      async write(bytes) {
        // A generator is its own iterator: it can be read only once.
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

/** The form of a task, as far as it is checked here; the rest is for the trainer. */
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
    throw new Fault("unavailable", "the server's response was cut off", { cause: error });
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
  // Read to its end, so that the connection can be reused.
  await response.text().catch(() => {});
  const code = CODES[response.status] ?? (response.status >= 500 ? "unavailable" : "corrupt");
  return new Fault(code, `the server returned status ${response.status}`);
}

function senseless(): Fault {
  return new Fault("corrupt", "an answer of the server is not valid");
}

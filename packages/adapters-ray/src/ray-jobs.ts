// A client of Ray's job API (https://docs.ray.io/en/latest/cluster/running-applications/job-submission/api.html). Reads
// answers leniently, and never passes on their texts, which contain stack traces.

import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { Fault, type Json } from "@assay/base";

/** How to reach the cluster. */
export interface RayJobsOptions {
  /** The address of its dashboard, such as `http://127.0.0.1:8265`. */
  readonly address: string;
  /** The token of a cluster that requires one. */
  readonly token?: string | undefined;
  /** The timeout of an answer, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
}

/** Ray's information about a job. */
export interface RayJob {
  /** `PENDING`, `RUNNING`, `STOPPED`, `SUCCEEDED` or `FAILED`; other words are kept. */
  readonly status: string;
  /** Why it failed, in Ray's terms, such as `JOB_SUPERVISOR_ACTOR_UNSCHEDULABLE`. */
  readonly errorType: string | undefined;
  /** The exit code of its command. */
  readonly exitCode: number | undefined;
}

/** Whether a status is final. */
export function isFinal({ status }: RayJob): boolean {
  return status === "STOPPED" || status === "SUCCEEDED" || status === "FAILED";
}

/** A cluster's jobs. Methods throw a `Fault` if the cluster does not answer or reports a failure. */
export interface RayJobs {
  /** Submits a job under an ID; false if the ID exists. The fault `corrupt` if Ray refuses it. */
  submit(id: string, job: { readonly [name: string]: Json }): Promise<boolean>;
  /** What Ray knows of the job; undefined if the ID is unknown. */
  job(id: string): Promise<RayJob | undefined>;
  /** The job's log, cut to the newest `mostBytes`. */
  logs(id: string, mostBytes: number): Promise<Uint8Array>;
  /** Rejects if the cluster does not answer within a few seconds, or not like Ray. */
  check(): Promise<void>;
  /** Requests that the job be stopped. Ray's confirmation does not mean that it stops. */
  stop(id: string): Promise<void>;
}

/** The most bytes of an answer to read: a log arrives as a whole. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The timeout of the check, in milliseconds. */
const CHECK_MS = 3000;

/** The jobs of the cluster at `address`. */
export function rayJobs({ address, token, timeoutMs = 30_000 }: RayJobsOptions): RayJobs {
  const base = `${address.replace(/\/+$/, "")}/api/jobs/`;
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };

  // Not `fetch`, which sends a browser's headers: Ray refuses browsers.
  const ask = (method: string, path: string, body?: Json, ms = timeoutMs) =>
    new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
      const url = new URL(base + path);
      const give = (error: unknown) => reject(Fault.from(error, "unavailable", "Ray cannot be reached"));
      const asking = (url.protocol === "https:" ? secureRequest : plainRequest)(
        url,
        {
          method,
          headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
          signal: AbortSignal.timeout(ms),
        },
        (response) => {
          const parts: Buffer[] = [];
          let size = 0;
          response.on("data", (part: Buffer) => {
            size += part.length;
            if (size > MOST_BYTES) response.destroy(new Fault("corrupt", "an answer of Ray is too large"));
            parts.push(part);
          });
          response.once("error", give);
          response.once("end", () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") }),
          );
        },
      );
      asking.once("error", give);
      asking.end(body === undefined ? undefined : JSON.stringify(body));
    });

  return {
    async submit(id, job) {
      const { status, text } = await ask("POST", "", { ...job, submission_id: id });
      if (status < 300) return true;
      // Ray has no code for this and answers 400 or 500 with a message.
      if (text.includes("already exists")) return false;
      throw status === 400 ? new Fault("corrupt", "Ray refuses the job") : faultOf(status);
    },

    async job(id) {
      const { status, text } = await ask("GET", encodeURIComponent(id));
      if (status === 404) return undefined;
      if (status !== 200) throw faultOf(status);
      const { status: word, error_type: type, driver_exit_code: exit } = objectOf(text);
      if (typeof word !== "string") throw new Fault("corrupt", "an answer of Ray is not valid");
      return {
        status: word,
        errorType: typeof type === "string" && /^[A-Z_]{1,64}$/.test(type) ? type : undefined,
        exitCode: Number.isSafeInteger(exit) ? (exit as number) : undefined,
      };
    },

    async logs(id, mostBytes) {
      const { status, text } = await ask("GET", `${encodeURIComponent(id)}/logs`);
      if (status !== 200) throw faultOf(status);
      const { logs } = objectOf(text);
      return Buffer.from(typeof logs === "string" ? logs : "").subarray(-mostBytes);
    },

    async check() {
      const { status, text } = await ask("GET", "../version", undefined, Math.min(timeoutMs, CHECK_MS));
      if (status !== 200) throw faultOf(status);
      if (typeof objectOf(text)["ray_version"] !== "string")
        throw new Fault("corrupt", "an answer of Ray is not valid");
    },

    async stop(id) {
      const { status } = await ask("POST", `${encodeURIComponent(id)}/stop`);
      if (status !== 200 && status !== 404) throw faultOf(status);
    },
  };
}

function faultOf(status: number): Fault {
  const code = status === 401 || status === 403 ? "denied" : "unavailable";
  return new Fault(code, `Ray answered with status ${status}`);
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Said below.
  }
  throw new Fault("corrupt", "an answer of Ray is not valid");
}

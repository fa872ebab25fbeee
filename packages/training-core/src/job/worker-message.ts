// WorkerMessage: a trainer's report about its job, in the same format inside this process, on a child's pipe and over
// HTTP. Defines the types and their reader, but not the effect of a message on a job.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { StoredBlob } from "./stored-blob.ts";

/** Flat numbers by name. Names with a slash are kept unchanged; all values are finite. */
export type Metrics = Readonly<Record<string, number>>;

/** One file of a checkpoint: its name within the checkpoint and the blob that holds its bytes. */
export interface ArtifactFile extends StoredBlob {
  /** A plain file name, such as `adapter_model.safetensors`: without a slash, not `.` or `..`. */
  readonly name: string;
}

/**
 * A trainer's messages, in this order: `started`, `step` 1 to `num_sequences`, `done`; or `failed` at any point. A
 * `warning` or a `heartbeat` may come anywhere before the last.
 */
export type WorkerMessage =
  | {
      /** The model is loaded and the data is packed: exactly `num_sequences` steps will follow. */
      readonly type: "started";
      readonly num_sequences: number;
      /**
       * Whether another run of the same task has the same number of steps and either repeats the reported ones or
       * continues after them: a job whose trainer is lost can then continue. False if absent.
       */
      readonly resumable?: boolean;
    }
  | {
      /** Gradient step number `step`, counted from 1, is done. Steps that were reported before are ignored. */
      readonly type: "step";
      readonly step: number;
      readonly metrics: Metrics;
    }
  | {
      /**
       * Training is over and the files are in the artifact store. Without files the new checkpoint equals its parent,
       * which only a job without steps may report.
       */
      readonly type: "done";
      readonly files?: readonly ArtifactFile[];
      /** Metrics of the checkpoint, such as `val/loss`. */
      readonly metrics?: Metrics;
    }
  | {
      /** Training has failed. `message` is shown to the caller, so it must contain no stack and no secret. */
      readonly type: "failed";
      readonly message: string;
      /** The kind of failure, such as `out_of_memory`; `trainer_failed` if absent. */
      readonly code?: string;
      /** Whether another run of the same task may succeed. False if absent. */
      readonly retryable?: boolean;
    }
  | {
      /**
       * A warning about the result that is not a failure, such as rows that were cut. It may come at any point before
       * the end; a job keeps the first of each code.
       */
      readonly type: "warning";
      /** The kind, such as `rows_cut`. */
      readonly code: string;
      /** The warning as a sentence, with advice. Shown to the caller. */
      readonly message: string;
      /** The number of rows, trajectories or steps it is about. 1 if absent. */
      readonly count?: number;
    }
  | {
      /** Still working. Every other message implies it too. */
      readonly type: "heartbeat";
    };

/**
 * Reads a message from outside. Unknown fields are left out, and so are metrics without a finite value (JSON has no
 * NaN, so workers write null). Issues have the code `worker_message`.
 */
export function readWorkerMessage(raw: unknown): Result<WorkerMessage> {
  if (!isJsonObject(raw)) return bad([issue([], "a worker message must be an object")]);
  switch (raw["type"]) {
    case "heartbeat":
      return ok({ type: "heartbeat" });
    case "started": {
      const count = raw["num_sequences"];
      if (!isCount(count))
        return bad([issue(["num_sequences"], "num_sequences must be a non-negative whole number")]);
      return ok({ type: "started", num_sequences: count, resumable: raw["resumable"] === true });
    }
    case "step": {
      const step = raw["step"];
      if (!isCount(step) || step === 0) return bad([issue(["step"], "step must be a positive whole number")]);
      const metrics = readMetrics(raw["metrics"]);
      return metrics.ok ? ok({ type: "step", step, metrics: metrics.value }) : metrics;
    }
    case "done": {
      const files = readFiles(raw["files"]);
      const metrics = readMetrics(raw["metrics"]);
      if (files.ok && metrics.ok) return ok({ type: "done", files: files.value, metrics: metrics.value });
      return bad([files, metrics].flatMap((part) => (part.ok ? [] : part.issues)));
    }
    case "failed": {
      const { message, code, retryable } = raw as Record<string, unknown>;
      if (typeof message !== "string") return bad([issue(["message"], "message must be a string")]);
      return ok({
        type: "failed",
        message: message.slice(0, LONGEST_TEXT),
        code: typeof code === "string" && code !== "" ? code.slice(0, 64) : "trainer_failed",
        retryable: retryable === true,
      });
    }
    case "warning": {
      const { code, message, count } = raw as Record<string, unknown>;
      const wrong = ["code", "message"].filter((name) => typeof raw[name] !== "string" || raw[name] === "");
      if (wrong.length > 0)
        return bad(wrong.map((name) => issue([name], `${name} must be a non-empty string`)));
      return ok({
        type: "warning",
        code: (code as string).slice(0, 64),
        message: (message as string).slice(0, LONGEST_TEXT),
        count: isCount(count) ? count : 1,
      });
    }
    default:
      return bad([issue(["type"], "type must be one of started, step, done, failed, warning, heartbeat")]);
  }
}

/** The longest text of a failure or a warning: stacks and logs don't belong there. */
const LONGEST_TEXT = 2000;
/** The most metrics of one step, and the most files of a checkpoint. */
const MOST_METRICS = 1000;
const MOST_FILES = 1000;

function readMetrics(raw: unknown): Result<Metrics> {
  if (raw === undefined || raw === null) return ok({});
  if (!isJsonObject(raw)) return bad([issue(["metrics"], "metrics must be an object of numbers")]);
  const entries = Object.entries(raw);
  if (entries.length > MOST_METRICS)
    return bad([issue(["metrics"], `at most ${MOST_METRICS} metrics, not ${entries.length}`)]);
  const wrong = entries.filter(([, value]) => value !== null && typeof value !== "number");
  if (wrong.length > 0)
    return bad(
      wrong.map(([name, value]) =>
        issue(["metrics", name], `a metric must be a number, not a ${typeof value}`),
      ),
    );
  return ok(finiteMetrics(Object.fromEntries(entries) as Readonly<Record<string, number | null>>));
}

/** The metrics with a finite value: JSON has no others. */
function finiteMetrics(metrics: Readonly<Record<string, number | null>>): Metrics {
  return Object.fromEntries(
    Object.entries(metrics).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  );
}

function readFiles(raw: unknown): Result<readonly ArtifactFile[]> {
  if (raw === undefined || raw === null) return ok([]);
  if (!Array.isArray(raw) || raw.length > MOST_FILES)
    return bad([issue(["files"], `files must be a list of at most ${MOST_FILES} files`)]);
  const wrong = raw.findIndex((file) => !isArtifactFile(file));
  if (wrong >= 0) return bad([issue(["files", wrong], "a file must have a plain name, a sha256 and a size")]);
  const files = raw.map(({ name, sha256, size }: ArtifactFile) => ({ name, sha256, size }));
  if (new Set(files.map((file) => file.name)).size < files.length)
    return bad([issue(["files"], "two files have the same name")]);
  return ok(files);
}

function isArtifactFile(raw: unknown): raw is ArtifactFile {
  if (!isJsonObject(raw)) return false;
  const { name, sha256, size } = raw as Record<string, unknown>;
  return isFileName(name) && typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256) && isCount(size);
}

/** A name that stays inside its folder on every system. */
function isFileName(raw: unknown): raw is string {
  return typeof raw === "string" && /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/.test(raw);
}

function isCount(raw: unknown): raw is number {
  return Number.isSafeInteger(raw) && (raw as number) >= 0;
}

function issue(path: Issue["path"], message: string): Issue {
  return { code: "worker_message", path, message };
}

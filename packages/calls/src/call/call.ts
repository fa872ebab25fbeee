// A call (span) of a trace: the building block of evaluations (docs/reference/semantics.md, "What is read"). Field
// names are those of the JSON format.

import { bad, type Issue, type Json, ok, type Result, type Steps } from "@assay/base";
import {
  isJsonObject,
  JsonSyntaxError,
  keepNumberText,
  parseJson,
  parseSteps,
  textNestsDeeper,
} from "@assay/base/internal";

/** One call of a trace, as the Weave trace server streams it. Times are ISO 8601. */
export interface Call {
  /** Unique in its project. */
  readonly id: string;
  /** The trace it belongs to. */
  readonly trace_id: string | null;
  /** The call that made this one; null for a root. */
  readonly parent_id: string | null;
  /** A bare name, or a ref `<scheme>:///<entity>/<project>/op/<name>:<version>`. */
  readonly op_name: string;
  /** A name given by a user. */
  readonly display_name: string | null;
  /** When it began, ISO 8601. */
  readonly started_at: string | null;
  /** When it ended, ISO 8601; null while it runs. */
  readonly ended_at: string | null;
  /** Its arguments by name. Of a trial: `example` and `model`; of an evaluation: `self` and `model`. */
  readonly inputs: Json;
  /** What it returned. Of a trial: `output`, `scores`, `model_latency`. */
  readonly output: Json;
  /** What the SDK recorded about it, such as the mark of a scorer (`weave.score`). */
  readonly attributes: Json;
  /** What was counted while it ran: `usage` by model. */
  readonly summary: Json;
  /** The error that it ended with. */
  readonly exception: string | null;
  /** Set when the call was deleted: it then does not exist for any query. */
  readonly deleted_at: string | null;
}

/**
 * A call as a program provides it: an id, and any other fields. Payloads must be JSON, although their type allows more.
 */
export interface CallInput {
  /** Unique in its project. */
  readonly id: string;
  /** The trace it belongs to. */
  readonly trace_id?: string | null | undefined;
  /** The call that made this one; absent for a root. */
  readonly parent_id?: string | null | undefined;
  /** The operation that was called: `Evaluation.predict_and_score` is a trial. */
  readonly op_name?: string | null | undefined;
  /** A name given by a user. */
  readonly display_name?: string | null | undefined;
  /** When it began, ISO 8601. */
  readonly started_at?: string | null | undefined;
  /** When it ended, ISO 8601. */
  readonly ended_at?: string | null | undefined;
  /** Its arguments by name. Of a trial: `example` and `model`. */
  readonly inputs?: unknown;
  /** What it returned. Of a trial: `output`, `scores`, `model_latency` in seconds. */
  readonly output?: unknown;
  /** What was recorded about it. */
  readonly attributes?: unknown;
  /** What was counted: `usage` by model. */
  readonly summary?: unknown;
  /** The error that it ended with. */
  readonly exception?: string | null | undefined;
  /** When it was deleted, ISO 8601. */
  readonly deleted_at?: string | null | undefined;
}

/** A call with its direct children, from which one trial is read. */
export interface CallTree {
  /** The call itself. */
  readonly call: Call;
  /** Direct children of `call`, in no particular order. */
  readonly children: readonly Call[];
}

/** The maximum JSON nesting of a call. A recursive JSON writer could not write deeper values. */
export const MAX_CALL_DEPTH = 200;

/**
 * The maximum number of JSON values in a call or another stored record: enough for the log-probabilities of a long
 * answer. A record is read and written in one go, which takes a quarter of a second at most.
 */
export const MAX_RECORD_VALUES = 400_000;

const TEXT_OR_NULL = [
  "trace_id",
  "parent_id",
  "display_name",
  "started_at",
  "ended_at",
  "exception",
  "deleted_at",
] as const;

/**
 * Reads a call from untrusted data. Only `id` is required; absent fields read as null; unknown keys are ignored. Issue
 * codes: `dict_type`, `missing`, `string_type`, `too_deep`.
 */
export function readCall(value: unknown): Result<Call> {
  if (!isJsonObject(value)) {
    return bad([{ code: "dict_type", path: [], message: "a call must be a JSON object" }]);
  }
  const issues = callIssues(value);
  if (issues.length > 0) return bad(issues);
  const call: Call = {
    id: value["id"] as string,
    trace_id: (value["trace_id"] as string | undefined) ?? null,
    parent_id: (value["parent_id"] as string | undefined) ?? null,
    op_name: (value["op_name"] as string | undefined) ?? "",
    display_name: (value["display_name"] as string | undefined) ?? null,
    started_at: (value["started_at"] as string | undefined) ?? null,
    ended_at: (value["ended_at"] as string | undefined) ?? null,
    inputs: (value["inputs"] as Json | undefined) ?? null,
    output: (value["output"] as Json | undefined) ?? null,
    attributes: (value["attributes"] as Json | undefined) ?? null,
    summary: (value["summary"] as Json | undefined) ?? null,
    exception: (value["exception"] as string | undefined) ?? null,
    deleted_at: (value["deleted_at"] as string | undefined) ?? null,
  };
  if (typeof call.output === "number")
    keepNumberText(value as { readonly [key: string]: Json }, "output", call, "output");
  return ok(call);
}

const NONE: readonly Issue[] = [];

function callIssues(given: { readonly [key: string]: unknown }): readonly Issue[] {
  const { id, op_name } = given as { id?: unknown; op_name?: unknown };
  let issues: Issue[] | undefined;
  const wrong = (code: string, key: string, message: string): void => {
    issues ??= [];
    issues.push({ code, path: [key], message });
  };
  if (id === undefined) wrong("missing", "id", "a call needs an id");
  else if (typeof id !== "string" || id === "") wrong("string_type", "id", "id must be a non-empty string");
  if (op_name !== undefined && op_name !== null && typeof op_name !== "string")
    wrong("string_type", "op_name", "op_name must be a string");
  for (const key of TEXT_OR_NULL) {
    const text = given[key];
    if (text !== undefined && text !== null && typeof text !== "string")
      wrong("string_type", key, `${key} must be a string or null`);
  }
  return issues ?? NONE;
}

/**
 * Reads a call from one line of JSON. Its numbers remember their notation (and `jsonText` writes them in it), unless
 * `double` is given, which takes a little less time. Issue codes: `readCall`'s, `json_invalid` and `too_deep`
 * (`MAX_CALL_DEPTH`).
 */
export function readCallLine(line: string, numbers: "logged" | "double" = "logged"): Result<Call> {
  const value = parsed(line, numbers);
  return value.ok ? readCall(value.value) : value;
}

/** Reads a call together with the whole object in its line, which may have keys that calls do not. */
export function readCallRecord(line: string): Result<CallRecord> {
  const value = parsed(line, "logged");
  return value.ok ? recordOf(value.value) : value;
}

/** Reads a line that may be long, in steps; `decode` returns the text of its bytes. */
export function* readCallRecordSteps(
  line: Uint8Array,
  decode: (bytes: Uint8Array) => string,
): Steps<Result<CallRecord>> {
  try {
    const record = yield* parseSteps(line, { decode, logged: true, maxDepth: MAX_CALL_DEPTH });
    return recordOf(record as Json);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return bad([{ code: "json_invalid", path: [], message: `not JSON: ${error.message}` }]);
  }
}

function recordOf(value: Json): Result<CallRecord> {
  const call = readCall(value);
  return call.ok ? ok({ call: call.value, record: value as CallRecord["record"] }) : call;
}

/** A call, and everything in its line. */
export interface CallRecord {
  /** The fields of a call. */
  readonly call: Call;
  /** The whole object. */
  readonly record: { readonly [key: string]: Json };
}

function parsed(line: string, numbers: "logged" | "double"): Result<Json> {
  let value: Json;
  try {
    value = numbers === "logged" ? parseJson(line) : (JSON.parse(line) as Json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "cannot be parsed";
    return bad([{ code: "json_invalid", path: [], message: `not JSON: ${reason}` }]);
  }
  if (!textNestsDeeper(line, MAX_CALL_DEPTH)) return ok(value);
  return bad([{ code: "too_deep", path: [], message: `nested deeper than ${MAX_CALL_DEPTH} levels` }]);
}

/** Whether `value` nests deeper than `depth`. Works level by level, so that no input can exhaust the stack. */
export function nestsDeeper(value: Json, depth: number): boolean {
  let level: Json[] = [value];
  for (let d = 0; level.length > 0; d++) {
    if (d > depth) return true;
    const next: Json[] = [];
    for (const item of level) {
      if (typeof item === "object" && item !== null) {
        for (const child of Object.values(item)) {
          if (typeof child === "object" && child !== null) next.push(child);
        }
      }
    }
    level = next;
  }
  return false;
}

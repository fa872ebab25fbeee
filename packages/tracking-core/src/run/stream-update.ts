// The data that a client streams to a run: lines with their positions, the summary, and the end. Read once, together
// with everything that the run records about it. Untrusted.

import { bad, type Issue, ok, type Result, type Steps } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import { finiteObject, OBJECT_TEXT } from "./finite-json.ts";
import { metricNames } from "./metric-value.ts";
import { type Line, MOST_KEYS, type Stream } from "./run.ts";

/** Lines of one stream, with their numbers. */
export interface StreamLines {
  /** Their stream. */
  readonly stream: Stream;
  /** Consecutive and ascending. */
  readonly lines: readonly Line[];
}

/** An update of a run. */
export interface StreamUpdate {
  /** Lines of some of its streams. */
  readonly streams: readonly StreamLines[];
  /** The names of metrics in the history lines, without duplicates. */
  readonly historyKeys: readonly string[];
  /** The whole summary, a JSON object. */
  readonly summary: string | undefined;
  /** The exit code of the program; absent while it runs. */
  readonly exitCode: number | undefined;
}

/** The most lines of one update. */
const MOST_LINES = 200_000;
/** The most lines of one stream of a run. */
const MOST_LINES_OF_RUN = 2_000_000;
/** The most characters of one line. The client drops longer lines; if the server refused one, it would stop sending. */
const LONGEST_LINE = 10 * 2 ** 20;
/** The number of lines read without a pause. */
const AT_ONCE = 500;

const STREAM_OF: Readonly<Record<string, Stream>> = {
  "wandb-history.jsonl": "history",
  "wandb-events.jsonl": "events",
  "output.log": "output",
};
const SUMMARY = "wandb-summary.json";

/**
 * Reads the body of an update: `{files: {name: {offset, content}}, complete, exitcode}`, all optional. Issues are
 * `type`, `json` (a line is not JSON) and `too_large`.
 */
export function* readStreamUpdate(raw: unknown): Steps<Result<StreamUpdate>> {
  if (!isJsonObject(raw)) return wrong([], "the body must be an object");
  const { files = {}, complete, exitcode } = raw;
  if (!isJsonObject(files)) return wrong(["files"], "files must be an object");
  const streams: StreamLines[] = [];
  const keys = new Set<string>();
  let summary: string | undefined;
  for (const [name, chunk] of Object.entries(files)) {
    const read = readChunk(name, chunk);
    if (!read.ok) return read;
    const { offset, content } = read.value;
    if (name === SUMMARY) {
      const last = content.at(-1);
      if (last === undefined) continue;
      const object = finiteObject(last);
      if (object === undefined) return notJson(name, content.length - 1);
      summary = object.text;
      continue;
    }
    const stream = STREAM_OF[name];
    // Other files are uploaded, including what was streamed of them.
    if (stream === undefined || content.length === 0) continue;
    const lines: Line[] = [];
    for (const [i, text] of content.entries()) {
      if (i % AT_ONCE === AT_ONCE - 1) yield;
      const line =
        stream === "output" ? { line: offset + i, step: offset + i, text } : lineOf(text, offset + i);
      if (line === undefined) return notJson(name, i);
      lines.push(stream === "output" ? line : { line: line.line, step: line.step, text: line.text });
      if (stream === "history" && "value" in line && keys.size < MOST_KEYS)
        for (const key of metricNames(line.value)) keys.add(key);
    }
    streams.push({ stream, lines });
  }
  const ended = complete === true;
  if (ended && exitcode !== undefined && exitcode !== null && !Number.isSafeInteger(exitcode))
    return wrong(["exitcode"], "exitcode must be a whole number");
  return ok({
    streams,
    historyKeys: [...keys],
    summary,
    exitCode: ended ? ((exitcode as number | null | undefined) ?? 0) : undefined,
  });
}

interface Chunk {
  readonly offset: number;
  readonly content: readonly string[];
}

function readChunk(name: string, chunk: unknown): Result<Chunk> {
  if (!isJsonObject(chunk)) return wrong(["files", name], "a file must be an object");
  const { offset = 0, content = [] } = chunk;
  if (!Number.isSafeInteger(offset) || (offset as number) < 0)
    return wrong(["files", name, "offset"], "offset must be a non-negative whole number");
  if (!Array.isArray(content) || content.some((line) => typeof line !== "string"))
    return wrong(["files", name, "content"], "content must be a list of strings");
  if (content.length > MOST_LINES)
    return tooLarge(["files", name, "content"], `an update may have at most ${MOST_LINES} lines`);
  if ((offset as number) + content.length > MOST_LINES_OF_RUN)
    return tooLarge(["files", name], `a run may have at most ${MOST_LINES_OF_RUN} lines of each kind`);
  const long = content.findIndex((line: string) => line.length > LONGEST_LINE);
  if (long >= 0)
    return tooLarge(["files", name, "content", long], `a line may have at most ${LONGEST_LINE} characters`);
  return ok({ offset: offset as number, content: content as string[] });
}

function lineOf(text: string, line: number) {
  const read = finiteObject(text);
  if (read === undefined) return undefined;
  const step = read.value["_step"];
  return {
    line,
    step: typeof step === "number" && step >= 0 ? step : line,
    text: read.text,
    value: read.value,
  };
}

function wrong(path: Issue["path"], message: string): Result<never> {
  return bad([{ code: "type", path, message }]);
}

function tooLarge(path: Issue["path"], message: string): Result<never> {
  return bad([{ code: "too_large", path, message }]);
}

function notJson(name: string, index: number): Result<never> {
  return bad([
    {
      code: "json",
      path: ["files", name, "content", index],
      message: `a line of ${name} must be ${OBJECT_TEXT}`,
    },
  ]);
}

// Supervised training data: reads JSON lines piece by piece, and stores them as a blob.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { lazySchemas, lineSplitter } from "@assay/base/internal";
import { type } from "arktype";
import type { SftRow } from "../../job/sft-row.ts";
import type { StoredBlob } from "../../job/stored-blob.ts";
import type { TrainingContext } from "../../state/context.ts";
import { MOST_ISSUES, readTyped } from "./issues.ts";

const row = lazySchemas(() =>
  type({
    messages: type({
      role: "'system' | 'developer' | 'user' | 'assistant' | 'tool'",
      "weight?": "0 | 1 | null",
    })
      .array()
      .atLeastLength(1),
    "tools?": "unknown[] | null",
  }),
);

/**
 * Reads one row. Issues are `missing`, `type`, `last_message` if the last message is not the assistant's, and `weight`
 * if the weights of its messages leave nothing to learn.
 */
function readSftRow(raw: unknown): Result<SftRow> {
  const read = readTyped(row(), raw);
  if (!read.ok) return read;
  const { messages } = read.value;
  const last = messages.length - 1;
  if (messages[last]?.role === "assistant") {
    if (messages.some(({ role, weight }) => role === "assistant" && weight !== 0))
      return ok(read.value as SftRow);
    const nothing =
      "every message of the assistant has weight 0, so there is nothing to learn: remove the row";
    return bad([{ code: "weight", path: ["messages", last, "weight"], message: nothing }]);
  }
  const message = `the last message must be the assistant's, not the ${messages[last]?.role}'s: it is what the model learns`;
  return bad([{ code: "last_message", path: ["messages", last, "role"], message }]);
}

/** The rows of stored training data, which was validated before. Invalid data is the store's fault. */
export async function* sftRows(bytes: AsyncIterable<Uint8Array>): AsyncIterable<SftRow> {
  for await (const text of lines(bytes)) if (text?.trim()) yield JSON.parse(text) as SftRow;
}

/** The most characters of a row: parsing a longer one would block other work. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** Stored training data with its number of rows. */
export interface UploadedRows {
  /** The blob of the data. */
  readonly data: StoredBlob;
  /** The number of rows. */
  readonly rows: number;
}

/**
 * Reads training data to its end and stores it. If a row is invalid, nothing is stored: the issues, at most twenty,
 * are `json`, `missing`, `type`, `last_message`, `weight`, at the path `["line", n, …]` counted from 1; or `empty`, or
 * `too_large`.
 */
export async function storeRows(
  training: TrainingContext,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Result<UploadedRows>> {
  return readRows(training, bytes, (checked) => training.artifacts.write(checked));
}

/** Reads stored training data; issues as for `storeRows`. */
export async function checkRows(training: TrainingContext, data: StoredBlob): Promise<Result<UploadedRows>> {
  return readRows(training, training.artifacts.read(data.sha256), async (checked) => {
    for await (const _ of checked);
    return data;
  });
}

async function readRows(
  training: TrainingContext,
  bytes: AsyncIterable<Uint8Array>,
  keep: (checked: AsyncIterable<Uint8Array>) => Promise<StoredBlob>,
): Promise<Result<UploadedRows>> {
  const { maxDataBytes } = training.policy;
  const issues: Issue[] = [];
  const counts = { rows: 0, line: 0, bytes: 0 };
  const check = (text: string | undefined) => {
    counts.line++;
    if (text?.trim() === "") return;
    counts.rows++;
    const parsed = text === undefined ? LINE_TOO_LONG : parse(text);
    const read = parsed.ok ? readSftRow(parsed.value) : parsed;
    if (!read.ok)
      issues.push(...read.issues.map((one) => ({ ...one, path: ["line", counts.line, ...one.path] })));
    if (issues.length >= MOST_ISSUES) throw new NotKept();
  };
  const splitter = utf8Lines(LONGEST_LINE);

  async function* checked(): AsyncIterable<Uint8Array> {
    for await (const piece of bytes) {
      counts.bytes += piece.length;
      if (counts.bytes > maxDataBytes) {
        issues.push({ code: "too_large", path: [], message: `the data has more than ${maxDataBytes} bytes` });
        throw new NotKept();
      }
      for (const text of splitter.push(piece)) check(text);
      yield piece;
    }
    for (const text of splitter.end()) check(text);
    if (counts.rows === 0) issues.push({ code: "empty", path: [], message: "the data has no rows" });
    if (issues.length > 0) throw new NotKept();
  }

  try {
    return ok({ data: await keep(checked()), rows: counts.rows });
  } catch (error) {
    // The store may throw any error for the interruption; the cause is the invalid rows.
    if (issues.length > 0) return bad(issues.slice(0, MOST_ISSUES));
    throw error;
  }
}

const LINE_TOO_LONG = bad([
  { code: "too_large", path: [], message: `a line may have at most ${LONGEST_LINE} characters` },
]);

/** Aborts the storing of invalid data. */
class NotKept extends Error {}

function parse(text: string): Result<unknown> {
  try {
    return ok(JSON.parse(text));
  } catch {
    return bad([{ code: "json", path: [], message: "the line is not JSON" }]);
  }
}

async function* lines(bytes: AsyncIterable<Uint8Array>): AsyncIterable<string | undefined> {
  const splitter = utf8Lines();
  for await (const piece of bytes) yield* splitter.push(piece);
  yield* splitter.end();
}

/** Cuts UTF-8 into lines of at most this many characters; longer ones become undefined. */
function utf8Lines(longest?: number) {
  const decoder = new TextDecoder();
  const splitter = lineSplitter(longest);
  return {
    push: (piece: Uint8Array) => splitter.push(decoder.decode(piece, { stream: true })),
    end: () => [...splitter.push(decoder.decode()), ...splitter.end()],
  };
}

// Supervised training data: reading JSON lines piece by piece, and keeping them as a blob.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { type } from "arktype";
import type { SftRow } from "../job/sft-row.ts";
import type { StoredBlob } from "../ports/artifact-store.ts";
import type { TrainingContext } from "../state/context.ts";
import { issuesOf, MOST_ISSUES } from "./issues.ts";

const row = type({
  messages: type({ role: "'system' | 'developer' | 'user' | 'assistant' | 'tool'" }).array().atLeastLength(1),
  "tools?": "unknown[] | null",
});

/** Reads one row. Issues are `missing`, `type`, and `last_message` when it does not end with an assistant's. */
function readSftRow(raw: unknown): Result<SftRow> {
  const read = row(raw);
  if (read instanceof type.errors) return bad(issuesOf(read));
  const { messages } = read;
  const last = messages.length - 1;
  if (messages[last]?.role === "assistant") return ok(read as SftRow);
  const message = `the last message must be the assistant's, which is what is learned, not the ${messages[last]?.role}'s`;
  return bad([{ code: "last_message", path: ["messages", last, "role"], message }]);
}

/** The rows of training data that was read and found right before. Data that is not is the mistake of its keeper. */
export async function* sftRows(bytes: AsyncIterable<Uint8Array>): AsyncIterable<SftRow> {
  for await (const text of lines(bytes)) if (text.trim() !== "") yield JSON.parse(text) as SftRow;
}

/** Training data that is kept, and how many rows it has. */
export interface UploadedRows {
  /** Where the data is kept. */
  readonly data: StoredBlob;
  /** How many rows it has. */
  readonly rows: number;
}

/**
 * Reads training data to its end and keeps it. Nothing is kept when a row is wrong: then the issues, at most
 * twenty, are `json`, `missing`, `type`, `last_message`, under the path `["line", n, …]` counted from 1; or
 * `empty`, or `too_large`.
 */
export async function storeRows(
  training: TrainingContext,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Result<UploadedRows>> {
  const { maxDataBytes } = training.policy;
  const issues: Issue[] = [];
  const counts = { rows: 0, line: 0, bytes: 0 };
  const check = (text: string) => {
    counts.line++;
    if (text.trim() === "") return;
    counts.rows++;
    const parsed = parse(text);
    const read = parsed.ok ? readSftRow(parsed.value) : parsed;
    if (!read.ok)
      issues.push(...read.issues.map((one) => ({ ...one, path: ["line", counts.line, ...one.path] })));
    if (issues.length >= MOST_ISSUES) throw new NotKept();
  };
  const splitter = lineSplitter();

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
    if (counts.rows === 0) issues.push({ code: "empty", path: [], message: "there is not a single row" });
    if (issues.length > 0) throw new NotKept();
  }

  try {
    return ok({ data: await training.artifacts.write(checked()), rows: counts.rows });
  } catch (error) {
    // Whatever the store makes of our leaving off, it is the rows that were wrong.
    if (issues.length > 0) return bad(issues.slice(0, MOST_ISSUES));
    throw error;
  }
}

/** Breaks off the writing of data that is not to be kept. */
class NotKept extends Error {}

function parse(text: string): Result<unknown> {
  try {
    return ok(JSON.parse(text));
  } catch {
    return bad([{ code: "json", path: [], message: "the line is not JSON" }]);
  }
}

async function* lines(bytes: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const splitter = lineSplitter();
  for await (const piece of bytes) yield* splitter.push(piece);
  yield* splitter.end();
}

/** Cuts UTF-8 into lines, wherever the pieces end. */
function lineSplitter(): { push(piece: Uint8Array): readonly string[]; end(): readonly string[] } {
  const decoder = new TextDecoder();
  // Parts of the line that has not ended yet: joined once, so that a long line costs no more than its length.
  let parts: string[] = [];
  const cut = (text: string) => {
    const pieces = text.split("\n");
    const rest = pieces.pop() ?? "";
    if (pieces.length > 0) {
      pieces[0] = [...parts, pieces[0]].join("");
      parts = [];
    }
    parts.push(rest);
    return pieces;
  };
  return {
    push: (piece) => cut(decoder.decode(piece, { stream: true })),
    end() {
      const whole = [...cut(decoder.decode()), parts.join("")];
      parts = [];
      return whole;
    },
  };
}

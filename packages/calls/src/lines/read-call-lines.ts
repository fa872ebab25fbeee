// What an index needs to know of the calls in lines of JSON, in a form that crosses from one thread to another at little
// cost: texts, once for many lines, and numbers that say which line has which.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { type Call, readCall, readCallLine } from "../call.ts";
import type { CallText } from "../ports/call-writer.ts";
import type { Line } from "./line-blocks.ts";
import { type LineReader, type ReadItems, readItems } from "./read-line.ts";

/** The fields of a call that are kept beside its text. */
const FIELDS = [
  ...(["id", "trace_id", "parent_id", "op_name"] as const),
  ...(["display_name", "started_at", "ended_at", "deleted_at"] as const),
] as const;

/** Lines as they were read. */
export interface CallColumns {
  /** Texts that are fields of calls. */
  readonly texts: readonly string[];
  /** For each line and each field, in order: the text's place and 1, or 0 for null. All 0: no call. */
  readonly fields: Uint32Array<ArrayBuffer>;
  /** What is wrong with lines, by their index. */
  readonly bad: ReadonlyMap<number, readonly Issue[]>;
}

// The text is what is kept: how its numbers were written does not matter here.
const CALLS: LineReader<KeptFields> = {
  short: (line) => kept(readCallLine(line, "double")),
  long: (value) => kept(readCall(value)),
  logged: false,
};

type KeptFields = Pick<Call, (typeof FIELDS)[number]>;

// The payload, nearly all of a call, is garbage as soon as its line was read.
function kept(call: Result<Call>): Result<KeptFields> {
  if (!call.ok) return call;
  const { id, trace_id, parent_id, op_name, display_name, started_at, ended_at, deleted_at } = call.value;
  return ok({ id, trace_id, parent_id, op_name, display_name, started_at, ended_at, deleted_at });
}

/** Reads lines. Codes of issues: `readCallLine`'s, `too_long`, `encoding`. */
export async function readCallLines(lines: readonly Line[]): Promise<CallColumns> {
  const texts: string[] = [];
  // Calls of one trace come together, and children after their parent: most texts that come again were just there.
  const last = FIELDS.map(() => 0);
  const fields = new Uint32Array(lines.length * FIELDS.length);
  const wrong = new Map<number, readonly Issue[]>();
  for (const [i, call] of (await readItems(lines, CALLS)).entries()) {
    if (call === undefined) continue;
    if (!call.ok) {
      wrong.set(i, call.issues);
      continue;
    }
    let at = i * FIELDS.length;
    for (const [f, field] of FIELDS.entries()) {
      const text = call.value[field];
      if (text !== null) {
        if (text !== texts[last[f]! - 1]) last[f] = texts.push(text);
        fields[at] = last[f]!;
      }
      at++;
    }
  }
  return { texts, fields, bad: wrong };
}

/** The calls of lines, with the lines as their texts and without their payloads: these can be read from the texts. */
export function callTexts(
  lines: readonly Line[],
  { texts, fields, bad: wrong }: CallColumns,
): ReadItems<CallText> {
  const textAt = (at: number): string | null => (fields[at] === 0 ? null : texts[fields[at]! - 1]!);
  return lines.map((text, i) => {
    const issues = wrong.get(i);
    if (issues !== undefined) return bad(issues);
    const at = i * FIELDS.length;
    const id = textAt(at);
    if (id === null) return undefined;
    const call: Call = {
      id,
      trace_id: textAt(at + 1),
      parent_id: textAt(at + 2),
      op_name: textAt(at + 3) ?? "",
      display_name: textAt(at + 4),
      started_at: textAt(at + 5),
      ended_at: textAt(at + 6),
      inputs: null,
      output: null,
      attributes: null,
      summary: null,
      exception: null,
      deleted_at: textAt(at + 7),
    };
    return ok({ call, text: text! });
  });
}

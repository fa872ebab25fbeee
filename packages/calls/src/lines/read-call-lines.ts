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
  const put = (at: number, field: number, text: string | null): void => {
    if (text === null) return;
    if (text !== texts[last[field]! - 1]) last[field] = texts.push(text);
    fields[at + field] = last[field]!;
  };
  for (const [i, call] of (await readItems(lines, CALLS)).entries()) {
    if (call === undefined) continue;
    if (!call.ok) {
      wrong.set(i, call.issues);
      continue;
    }
    const { id, trace_id, parent_id, op_name, display_name, started_at, ended_at, deleted_at } = call.value;
    const at = i * FIELDS.length;
    put(at, 0, id);
    put(at, 1, trace_id);
    put(at, 2, parent_id);
    put(at, 3, op_name);
    put(at, 4, display_name);
    put(at, 5, started_at);
    put(at, 6, ended_at);
    put(at, 7, deleted_at);
  }
  return { texts, fields, bad: wrong };
}

/** The calls of lines, with the lines as their texts and without their payloads: these can be read from the texts. */
export function callTexts(lines: readonly Line[], columns: CallColumns): ReadItems<CallText> {
  return lines.map((text, i) => {
    const issues = columns.bad.get(i);
    if (issues !== undefined) return bad(issues);
    const at = i * FIELDS.length;
    return columns.fields[at] === 0 ? undefined : ok(new ColumnCall(text!, columns, at));
  });
}

// An object for each call that waits to be written would be moved by the garbage collector more often than it is looked at.
class ColumnCall implements CallText {
  readonly text: Buffer;
  private readonly columns: CallColumns;
  /** Where its fields begin. */
  private readonly at: number;

  constructor(text: Buffer, columns: CallColumns, at: number) {
    this.text = text;
    this.columns = columns;
    this.at = at;
  }

  get call(): Call {
    return {
      id: this.field(0) ?? "",
      trace_id: this.field(1),
      parent_id: this.field(2),
      op_name: this.field(3) ?? "",
      display_name: this.field(4),
      started_at: this.field(5),
      ended_at: this.field(6),
      inputs: null,
      output: null,
      attributes: null,
      summary: null,
      exception: null,
      deleted_at: this.field(7),
    };
  }

  private field(f: number): string | null {
    const { texts, fields } = this.columns;
    const place = fields[this.at + f]!;
    return place === 0 ? null : texts[place - 1]!;
  }
}

// Reads the parts of calls that an index needs from lines of JSON, in a form that is cheap to pass between threads:
// where each call ends in its block of lines, and where its fields are.

import { isUtf8 } from "node:buffer";
import { crc32 } from "node:zlib";
import { ok, type Result } from "@assay/base";
import { timeSlice } from "@assay/base/internal";
import { type Call, readCall, readCallLine } from "../call/call.ts";
import type { CallText } from "../ports/call-writer.ts";
import { bytesIn, type LineBlock, lineAt, lineEnds } from "./line-blocks.ts";
import { isLong } from "./long-line.ts";
import { type CallField, readPlainCall, SPANS } from "./plain-call.ts";
import { type LineReader, type ReadItems, readLine } from "./read-line.ts";

/** The calls of a block of lines. */
export interface BlockCalls {
  /**
   * For each line, the byte of the block where it ends; for a call in plain notation, also the CRC-32 of its line and
   * its `SPANS`.
   */
  readonly lines: Uint32Array<ArrayBuffer>;
  /** The result for other lines, by index; undefined for a blank line. */
  readonly others: ReadonlyMap<number, Result<CallHeader> | undefined>;
}

type CallHeader = Pick<Call, CallField>;

/** How many numbers each line takes. */
const STRIDE = 2 + SPANS;

// The text is kept, so the notation of its numbers does not matter here.
const PARSED: LineReader<CallHeader> = {
  short: (line) => headerOf(readCallLine(line, "double")),
  long: (value) => headerOf(readCall(value)),
  logged: false,
};

// Drops the payload, nearly all of a call, once its line was read.
function headerOf(call: Result<Call>): Result<CallHeader> {
  if (!call.ok) return call;
  const { id, trace_id, parent_id, op_name, display_name, started_at, ended_at, deleted_at } = call.value;
  return ok({ id, trace_id, parent_id, op_name, display_name, started_at, ended_at, deleted_at });
}

/** Reads a block of lines. Issue codes: `readCallLine`'s, `too_long`, `encoding`. */
export async function readCallLines(block: LineBlock, longest: number): Promise<BlockCalls> {
  const others = new Map<number, Result<CallHeader> | undefined>();
  if (block === undefined) {
    others.set(0, await readLine(undefined, PARSED));
    return { lines: new Uint32Array(STRIDE), others };
  }
  const bytes = bytesIn(block);
  const ends = lineEnds(bytes);
  const lines = new Uint32Array(ends.length * STRIDE);
  const pause = timeSlice();
  // In a block that is not UTF-8, each line is checked separately.
  const isText = isUtf8(bytes);
  let from = 0;
  for (const [i, end] of ends.entries()) {
    const turn = pause();
    if (turn !== undefined) await turn;
    const at = i * STRIDE;
    lines[at] = end;
    // The last line of a file may have no line break.
    const mayBePlain = isText && end < bytes.length && end - from <= longest && !isLong(end - from);
    if (mayBePlain && readPlainCall(bytes, from, lines, at + 2))
      lines[at + 1] = crc32(bytes.subarray(from, end));
    else others.set(i, await readLine(lineAt(bytes, from, end, longest), PARSED));
    from = end + 1;
  }
  return { lines, others };
}

/** The calls of a block, with lines as texts and without payloads, which can be read from the texts. */
export function* callTexts(block: LineBlock, { lines, others }: BlockCalls): ReadItems<CallText> {
  const bytes = bytesIn(block);
  const texts = new RepeatedTexts(bytes);
  let from = 0;
  for (let i = 0; i * STRIDE < lines.length; i++) {
    const end = lines[i * STRIDE]!;
    if (!others.has(i)) yield ok(new PlainCall(texts, lines, i, from));
    else {
      const other = others.get(i);
      yield other?.ok ? ok(parsedCall(bytes.subarray(from, end), other.value)) : other;
    }
    from = end + 1;
  }
}

const NO_PAYLOAD = { inputs: null, output: null, attributes: null, summary: null, exception: null } as const;

function parsedCall(text: Uint8Array, fields: CallHeader): CallText {
  return { call: { ...fields, ...NO_PAYLOAD }, text };
}

/** For each field, whether consecutive calls often share it: traces, parents and operations. */
const REPEATED: readonly boolean[] = [false, true, true, true];

/** How many texts are remembered: a power of two. */
const REMEMBERED = 64;

/**
 * Caches ASCII texts that often repeat: traces, parents, operations. Creating one again costs several times as much as
 * comparing it with the last text in its place of a small hash table, and produces garbage.
 */
class RepeatedTexts {
  readonly bytes: Buffer;
  private readonly starts = new Uint32Array(REMEMBERED);
  private readonly texts: string[] = Array<string>(REMEMBERED).fill("");

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  at(start: number, end: number): string {
    const place = (this.bytes[end - 1]! * 31 + this.bytes[end - 2]! * 7 + end - start) % REMEMBERED;
    const known = this.texts[place]!;
    if (known.length === end - start && this.isSame(this.starts[place]!, start, known.length)) return known;
    const text = this.bytes.toString("latin1", start, end);
    this.texts[place] = text;
    this.starts[place] = start;
    return text;
  }

  /** Whether two texts are equal, compared from the end, where ids differ. */
  private isSame(a: number, b: number, length: number): boolean {
    const { bytes } = this;
    for (let i = length - 1; i >= 0; i--) if (bytes[a + i] !== bytes[b + i]) return false;
    return true;
  }
}

// A class with few objects: more would be moved by the garbage collector more often than they are read.
class PlainCall implements CallText, Call {
  private readonly texts: RepeatedTexts;
  private readonly spans: Uint32Array;
  /** The index of its line. */
  private readonly line: number;
  private readonly from: number;

  constructor(texts: RepeatedTexts, spans: Uint32Array, line: number, from: number) {
    this.texts = texts;
    this.spans = spans;
    this.line = line;
    this.from = from;
  }

  get call(): Call {
    return this;
  }
  get text(): Buffer {
    return this.texts.bytes.subarray(this.from, this.spans[this.line * STRIDE]);
  }
  get crc(): number {
    return this.spans[this.line * STRIDE + 1]!;
  }

  get id(): string {
    return this.field(0) ?? "";
  }
  get trace_id(): string | null {
    return this.field(1);
  }
  get parent_id(): string | null {
    return this.field(2);
  }
  get op_name(): string {
    return this.field(3) ?? "";
  }
  get display_name(): string | null {
    return this.field(4);
  }
  get started_at(): string | null {
    return this.field(5);
  }
  get ended_at(): string | null {
    return this.field(6);
  }
  get deleted_at(): string | null {
    return this.field(7);
  }
  get inputs(): null {
    return null;
  }
  get output(): null {
    return null;
  }
  get attributes(): null {
    return null;
  }
  get summary(): null {
    return null;
  }
  get exception(): null {
    return null;
  }

  private field(f: number): string | null {
    const at = this.line * STRIDE + 2 + 2 * f;
    const start = this.spans[at]!;
    // No text begins at byte 0, where the object of a line begins.
    if (start === 0) return null;
    const end = this.spans[at + 1]!;
    return REPEATED[f] === true ? this.texts.at(start, end) : this.texts.bytes.toString("latin1", start, end);
  }
}

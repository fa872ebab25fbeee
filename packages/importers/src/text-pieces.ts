// The text of a file, and its lines: UTF-8, with or without a byte order mark.

import type { Json } from "@assay/base";
import { joinedBytes } from "./byte-writer.ts";
import { Unreadable } from "./errors.ts";
import type { ImportFile } from "./import-file.ts";
import { type LargeIntegers, parseJson } from "./json-text.ts";
import { pieces } from "./pieces.ts";

/** The longest value that is read, in characters or bytes: longer ones would fill the memory. */
export const LONGEST: number = 64 * 1024 * 1024;

/** The text of a file, in pieces. */
export async function* textPieces(file: ImportFile): AsyncGenerator<string> {
  // Pieces are decoded one by one: a streaming decoder takes several times as long in Node.
  let decoder = new TextDecoder("utf-8", { fatal: true });
  let before = 0;
  let cut: Uint8Array = new Uint8Array(0);
  for await (const piece of pieces(file)) {
    const bytes = cut.length === 0 ? piece : joinedBytes([cut, piece]);
    const end = completeCharacters(bytes);
    cut = bytes.slice(end);
    if (end === 0) continue;
    yield decoded(decoder, bytes.subarray(0, end), before);
    // A byte order mark counts only at the beginning.
    if (before === 0) decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    before += end;
  }
  if (cut.length > 0) yield decoded(decoder, cut, before);
}

/** Where the last complete character ends. Invalid UTF-8 counts as complete: the decoder reports it. */
function completeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    // A continuation byte.
    if (byte >= 0x80 && byte < 0xc0) continue;
    const length = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** One line of a file. */
interface Line {
  /** From 1. */
  readonly number: number;
  /** Without the line break. */
  readonly text: string;
}

/** The lines of a file that are not blank. */
async function* textLines(file: ImportFile): AsyncGenerator<Line> {
  let number = 0;
  let begun: string[] = [];
  let size = 0;
  for await (const text of textPieces(file)) {
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      begun.push(text.slice(from, end));
      const line = begun.length === 1 ? begun[0]! : begun.join("");
      number++;
      if (line.trim() !== "") yield { number, text: line };
      begun = [];
      size = 0;
      from = end + 1;
    }
    if (from < text.length) begun.push(text.slice(from));
    size += text.length - from;
    if (size > LONGEST) throw new Unreadable(`line ${number + 1}: longer than ${LONGEST} characters`);
  }
  const last = begun.join("");
  if (last.trim() !== "") yield { number: number + 1, text: last };
}

/** The values of a file of JSON lines. */
export async function* jsonLines(file: ImportFile, large?: LargeIntegers): AsyncGenerator<Json> {
  for await (const { number, text } of textLines(file)) yield parseJson(text, `line ${number}`, large);
}

function decoded(decoder: TextDecoder, piece: Uint8Array, before: number): string {
  try {
    return decoder.decode(piece);
  } catch {
    throw new Unreadable(`not ${decoder.encoding.toUpperCase()} text after byte ${before}; save it as UTF-8`);
  }
}

// The text of a file: UTF-8, with or without a byte order mark.

import { joinedBytes } from "../collections/byte-writer.ts";
import { Unreadable } from "./errors.ts";
import type { ImportFile } from "./import-file.ts";
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

function decoded(decoder: TextDecoder, piece: Uint8Array, before: number): string {
  try {
    return decoder.decode(piece);
  } catch {
    const valid = before + validBytes(piece);
    throw new Unreadable(`not ${decoder.encoding.toUpperCase()} text after byte ${valid}; save it as UTF-8`);
  }
}

/** The number of bytes before the first character that is not UTF-8, in a piece that has one. */
function validBytes(piece: Uint8Array): number {
  // The longest prefix that may continue as valid UTF-8, by bisection.
  let [valid, invalid] = [0, piece.length + 1];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1;
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(piece.subarray(0, middle), { stream: true });
      valid = middle;
    } catch {
      invalid = middle;
    }
  }
  return completeCharacters(piece.subarray(0, valid));
}

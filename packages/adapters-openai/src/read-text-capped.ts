// Reads the text of a response, up to a limit.

import { Fault } from "@assay/base";

/** The whole text of `bytes`. Throws the fault `corrupt` if it is longer than `most` bytes. */
export async function readTextCapped(bytes: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > most) throw new Fault("corrupt", "the engine sent a response that is too large");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

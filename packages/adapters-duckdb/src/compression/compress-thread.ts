// The worker thread of `compress`.

import { parentPort } from "node:worker_threads";
import { type BlockFormat, blockIn, concatBlocks, type Pieces } from "./compress-pieces.ts";

/** Pieces to compress. */
export interface PiecesToCompress {
  readonly format: BlockFormat;
  readonly pieces: Pieces;
}

/** The compressed blocks, and the memory of the pieces, which the thread returns. */
export interface CompressedPieces {
  readonly compressed: Pieces;
  readonly buffer: ArrayBuffer;
}

parentPort?.on("message", ({ format, pieces }: PiecesToCompress) => {
  const compressed = concatBlocks(Array.from(pieces.ends, (_, i) => blockIn(format, pieces, i)));
  const buffer = pieces.bytes.buffer as ArrayBuffer;
  const message: CompressedPieces = { compressed, buffer };
  parentPort!.postMessage(message, [buffer, compressed.bytes.buffer as ArrayBuffer]);
});

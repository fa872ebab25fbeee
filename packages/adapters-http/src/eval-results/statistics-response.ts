// A statistics answer as a response. Its JSON text is written in chunks, so that many measures of many candidates
// neither need the whole text in memory nor block the thread for long.

import { streamResponse } from "../response/stream-response.ts";

// The approximate number of characters in a chunk.
const PIECE = 2 ** 18;

/** The answer as a response. A small one is written whole, a large one in chunks as the client reads it. */
export async function statisticsResponse(answer: object): Promise<Response> {
  const pieces = answerText(answer);
  const first = pieces.next().value ?? "";
  const second = pieces.next();
  if (second.done === true) return new Response(first, { headers: { "Content-Type": "application/json" } });
  return streamResponse(encoded([first, second.value], pieces), "application/json");
}

async function* encoded(...texts: readonly Iterable<string>[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const pieces of texts) for (const piece of pieces) yield encoder.encode(piece);
}

/** The output of `JSON.stringify` in chunks. No property may be undefined. */
function* answerText(answer: object): Generator<string, void, undefined> {
  let piece = "{";
  for (const [k, [key, value]] of Object.entries(answer).entries()) {
    piece += `${k === 0 ? "" : ","}${JSON.stringify(key)}:`;
    if (!Array.isArray(value)) {
      piece += JSON.stringify(value);
      continue;
    }
    piece += "[";
    for (const [i, item] of value.entries()) {
      piece += `${i === 0 ? "" : ","}${JSON.stringify(item)}`;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = "";
    }
    piece += "]";
  }
  yield `${piece}}`;
}

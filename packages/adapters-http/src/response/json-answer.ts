// JSON responses with numbers in their logged notation. A long list is written some kilobytes at a time, because
// writing its whole text would block other requests.

import { type JsonObject, jsonText } from "@assay/base";
import { numberText } from "@assay/base/internal";
import { type ReadContext, yieldNow } from "@assay/trace-core/internal";
import { streamResponse } from "./stream-response.ts";

// A list with fewer items, or a text with fewer characters, is written in one go.
const LONG = 64;
const PIECE = 64 * 1024;

/** A response in JSON. `reading` lets other work run while a long one is written. */
export async function jsonAnswer(answer: JsonObject, reading: ReadContext): Promise<Response> {
  const isLong = Object.values(answer).some((member) => Array.isArray(member) && member.length > LONG);
  if (isLong) return streamResponse(inPieces(answer, reading), "application/json");
  return new Response(jsonText(answer), { headers: { "content-type": "application/json" } });
}

async function* inPieces(answer: JsonObject, reading: ReadContext): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = "";
  for (const part of partsOf(answer)) {
    text += part;
    if (text.length < PIECE) continue;
    yield encoder.encode(text);
    text = "";
    await yieldNow(reading);
  }
  yield encoder.encode(text);
}

/** The text of an object, with each item of its lists as a separate part. */
function* partsOf(answer: JsonObject): Generator<string> {
  let before = "{";
  for (const [key, member] of Object.entries(answer)) {
    yield `${before}${JSON.stringify(key)}:`;
    before = ",";
    if (!Array.isArray(member)) {
      yield numberText(answer, key) ?? jsonText(member);
      continue;
    }
    yield "[";
    for (const [i, item] of member.entries())
      yield `${i === 0 ? "" : ","}${numberText(member, i) ?? jsonText(item)}`;
    yield "]";
  }
  yield before === "{" ? "{}" : "}";
}

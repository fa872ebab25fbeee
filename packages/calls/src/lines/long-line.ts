// Reads a line that is too long to parse in one go. Its values are counted before anything is built, as for the body of
// a request; then it is parsed in steps.

import { bad, ok, type Result } from "@assay/base";
import {
  type JsonFault,
  type JsonLimits,
  JsonScan,
  JsonSyntaxError,
  parseInPieces,
  timeSlice,
} from "@assay/base/internal";
import { MAX_CALL_DEPTH, MAX_RECORD_VALUES } from "../call/call.ts";

const LIMITS: JsonLimits = {
  maxDepth: MAX_CALL_DEPTH + 1,
  maxValues: MAX_RECORD_VALUES,
  maxNames: 50_000,
};
/** Shorter lines take a few milliseconds at most. */
const LONG = 256 * 1024;
/** How much is scanned per step: about a millisecond. */
const SCANNED = 512 * 1024;

/** Whether to read a line of this length with `readLongLine`. */
export function isLong(length: number): boolean {
  return length > LONG;
}

/**
 * The value of a line in UTF-8; undefined if the line is blank. `logged`: numbers remember their notation. Issue codes:
 * `json_invalid`, `too_deep`, and `too_long` for too many values.
 */
export async function readLongLine(line: Buffer, logged: boolean): Promise<Result<unknown> | undefined> {
  const pause = timeSlice();
  const scan = new JsonScan(LIMITS);
  for (let i = 0; i < line.length; i += SCANNED) {
    const fault = scan.push(line.subarray(i, i + SCANNED));
    if (fault !== undefined) return refused(fault);
    await pause();
  }
  const unfinished = scan.end();
  if (unfinished !== undefined) return refused(unfinished);
  if (scan.values === 0 && text(line).trim() === "") return undefined;
  const parsing = parseInPieces(line, scan.cut, { decode: text, logged });
  try {
    for (;;) {
      const { done, value } = parsing.next();
      if (done === true) return ok(value);
      await pause();
    }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return refused({ kind: "syntax", at: error.at ?? 0 });
  }
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}

function refused(fault: JsonFault): Result<never> {
  if (fault.kind === "syntax")
    return bad([{ code: "json_invalid", path: [], message: `not JSON: a syntax error at byte ${fault.at}` }]);
  const code = fault.of === "depth" ? "too_deep" : "too_long";
  return bad([{ code, path: [], message: `the line ${fault.message}` }]);
}

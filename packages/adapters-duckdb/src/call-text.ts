// From the journal's records to calls.

import { Fault } from "@assay/base";
import { givingWay, inTurns } from "@assay/base/internal";
import type { Call, KeptCall } from "@assay/calls";
import { type CallRecord, readCallRecord, readCallRecordSteps } from "@assay/calls/internal";
import type { FoundCall } from "./call-index.ts";
import type { Journal } from "./journal.ts";
import { readInTurns } from "./read-in-turns.ts";
import { CALLS_FILE } from "./record-files.ts";

/** The call that a record of the journal holds, as it is now; undefined when it holds none. */
export function callOf(text: string, deletedAt: string | null): KeptCall | undefined {
  const read = readCallRecord(text);
  return read.ok ? keptCall(read.value, text, deletedAt) : undefined;
}

function keptCall({ call, record }: CallRecord, text: string, deletedAt: string | null): KeptCall {
  return { call: call.deleted_at === deletedAt ? call : { ...call, deleted_at: deletedAt }, record, text };
}

/** What reading a call takes. */
export type CallPlace = Pick<FoundCall, "at" | "size" | "crc" | "deletedAt">;

// Bytes from which on a record is parsed in steps, others in some milliseconds.
const LONG = 256 * 1024;

/** Whether a call is to be read by `readLongCall`. */
export function isLong({ size }: CallPlace): boolean {
  return size > LONG;
}

/** The same of a call that is long, letting others run; undefined also when its record is damaged. */
export async function readLongCall(journal: Journal, found: CallPlace): Promise<KeptCall | undefined> {
  const pieces = await journal.pieces(found);
  if (pieces === undefined) return undefined;
  const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  const read = await inTurns(
    readCallRecordSteps(bytes, (some) => decoder.decode(some)),
    givingWay(),
  );
  return read.ok ? keptCall(read.value, bytes.toString(), found.deletedAt) : undefined;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The calls at these places, in order, with their texts, letting others run. Throws a `corrupt` fault. */
export async function readCallTextsInTurns(
  journal: Journal,
  founds: readonly CallPlace[],
): Promise<KeptCall[]> {
  const long = new Map<CallPlace, KeptCall>();
  for (const found of founds.filter(isLong))
    long.set(found, (await readLongCall(journal, found)) ?? damaged(found));
  const short = await readInTurns(
    founds.filter((found) => !isLong(found)),
    (some) => readCallTexts(journal, some),
  );
  let next = 0;
  return founds.map((found) => long.get(found) ?? short[next++]!);
}

/** The same at once. */
export function readCallTexts(journal: Journal, founds: readonly CallPlace[]): KeptCall[] {
  return journal.texts(founds).map((text, i) => callOf(text, founds[i]!.deletedAt) ?? damaged(founds[i]!));
}

function damaged({ at }: CallPlace): never {
  throw new Fault("corrupt", `the record at byte ${at} of the calls is not a call`, {
    file: CALLS_FILE.name,
  });
}

/** The calls at these places, in order. Throws a `corrupt` fault. */
export function readCalls(journal: Journal, founds: readonly FoundCall[]): Call[] {
  return readCallTexts(journal, founds).map(({ call }) => call);
}

// Turns records of the journal into calls.

import { Fault } from "@assay/base";
import { inTurns, timeSlice } from "@assay/base/internal";
import type { Call, KeptCall } from "@assay/calls";
import { type CallRecord, readCallRecord, readCallRecordSteps } from "@assay/calls/internal";
import type { Journal } from "../records/journal.ts";
import { readInTurns } from "../records/read-in-turns.ts";
import { CALLS_FILE } from "../records/record-files.ts";
import type { FoundCall } from "./call-index.ts";

/** The current state of the call in a journal record; undefined if the record is not a call. */
export function callOf(text: string, deletedAt: string | null): KeptCall | undefined {
  const read = readCallRecord(text);
  return read.ok ? keptCall(read.value, text, deletedAt) : undefined;
}

function keptCall({ call, record }: CallRecord, text: string, deletedAt: string | null): KeptCall {
  return { call: call.deleted_at === deletedAt ? call : { ...call, deleted_at: deletedAt }, record, text };
}

/** The parts of a location that are needed to read a call. */
export type CallLocation = Pick<FoundCall, "at" | "size" | "crc" | "deletedAt">;

// Records of this size in bytes are parsed in steps; smaller ones take a few milliseconds.
const LONG = 256 * 1024;

/** Whether to read a call with `readLongCall`. */
export function isLong({ size }: CallLocation): boolean {
  return size > LONG;
}

/** Reads a long call without blocking others; undefined also if its record is damaged. */
export async function readLongCall(journal: Journal, found: CallLocation): Promise<KeptCall | undefined> {
  const pieces = await journal.pieces(found);
  if (pieces === undefined) return undefined;
  const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  const read = await inTurns(
    readCallRecordSteps(bytes, (some) => decoder.decode(some)),
    timeSlice(),
  );
  return read.ok ? keptCall(read.value, bytes.toString(), found.deletedAt) : undefined;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The calls at these locations, in order, with their texts, without blocking others. Throws a `corrupt` fault. */
export async function readCallTextsInTurns(
  journal: Journal,
  founds: readonly CallLocation[],
): Promise<KeptCall[]> {
  const long = new Map<CallLocation, KeptCall>();
  for (const found of founds.filter(isLong))
    long.set(found, (await readLongCall(journal, found)) ?? damaged(found));
  const short = await readInTurns(
    founds.filter((found) => !isLong(found)),
    (some) => readCallTexts(journal, some),
  );
  let next = 0;
  return founds.map((found) => long.get(found) ?? short[next++]!);
}

/** The ids of the calls at these locations, in order, without blocking others. Throws a `corrupt` fault. */
export async function readIdsInTurns(
  journal: Journal,
  founds: readonly CallLocation[],
): Promise<readonly string[]> {
  return readInTurns(founds, (some) => {
    const ids = new Array<string>(some.length);
    journal.visit(some, (i, record) => {
      ids[i] = (record && idOf(record)) ?? readCallTexts(journal, [some[i]!])[0]!.call.id;
    });
    return ids;
  });
}

const ID = Buffer.from('{"id":"');

/** The id with which a record begins, as nearly all do: reading it takes a fraction of parsing the record. */
function idOf(record: Buffer): string | undefined {
  if (record.compare(ID, 0, ID.length, 0, ID.length) !== 0) return undefined;
  const id = record.toString("utf8", ID.length, record.indexOf(QUOTE, ID.length));
  return id.includes("\\") ? undefined : id;
}

const QUOTE = 0x22;

/** The calls at these locations, in order, with their texts, in one go. Throws a `corrupt` fault. */
export function readCallTexts(journal: Journal, founds: readonly CallLocation[]): KeptCall[] {
  return journal.texts(founds).map((text, i) => callOf(text, founds[i]!.deletedAt) ?? damaged(founds[i]!));
}

function damaged({ at }: CallLocation): never {
  throw new Fault("corrupt", `the record at byte ${at} of the calls is not a call`, {
    file: CALLS_FILE.name,
  });
}

/** The calls at these locations, in order. Throws a `corrupt` fault. */
export function readCalls(journal: Journal, founds: readonly FoundCall[]): Call[] {
  return readCallTexts(journal, founds).map(({ call }) => call);
}

// From the journal's records to calls.

import { Fault } from "@assay/base";
import { type Call, type KeptCall, readCallRecord } from "@assay/calls";
import type { FoundCall } from "./call-index.ts";
import type { Journal } from "./journal.ts";

/** The call that a record of the journal holds, as it is now; undefined when it holds none. */
export function callOf(text: string, deletedAt: string | null): KeptCall | undefined {
  const read = readCallRecord(text);
  if (!read.ok) return undefined;
  const { call, record } = read.value;
  return { call: call.deleted_at === deletedAt ? call : { ...call, deleted_at: deletedAt }, record, text };
}

/** The calls at these places, in order, with their texts. Throws a `corrupt` fault. */
export function readCallTexts(journal: Journal, founds: readonly FoundCall[]): KeptCall[] {
  return journal.texts(founds).map((text, i) => {
    const { at, deletedAt } = founds[i]!;
    const call = callOf(text, deletedAt);
    if (call === undefined) throw new Fault("corrupt", `the record at byte ${at} of the calls is no call`);
    return call;
  });
}

/** The calls at these places, in order. Throws a `corrupt` fault. */
export function readCalls(journal: Journal, founds: readonly FoundCall[]): Call[] {
  return readCallTexts(journal, founds).map(({ call }) => call);
}

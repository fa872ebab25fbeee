// Converts lines of records built by this process for journals and the index.

import type { RecordLines } from "@assay/calls";
import { RECORD_SPANS } from "@assay/calls/internal";
import { idHashAfter } from "./id-hash.ts";
import type { Journal, RecordLocation } from "./journal.ts";
import { inSlices } from "./read-in-turns.ts";

/** The records, without copying their memory. */
export function recordsIn(pieces: readonly RecordLines[]): readonly Buffer[] {
  const records: Buffer[] = [];
  for (const { bytes, spans } of pieces) {
    let from = bytes.byteOffset;
    for (let i = RECORD_SPANS - 1; i < spans.length; i += RECORD_SPANS) {
      const end = bytes.byteOffset + spans[i]!;
      records.push(Buffer.from(bytes.buffer, from, end - from));
      from = end + 1;
    }
  }
  return records;
}

/** The hashes of their names. */
export function namesIn(pieces: readonly RecordLines[], project: number, seed: number): readonly number[] {
  const hashes: number[] = [];
  for (const { bytes, names, spans } of pieces) {
    const hash = idHashAfter(names, project, seed);
    for (let i = 0; i < spans.length; i += RECORD_SPANS) hashes.push(hash(bytes, spans[i]!, spans[i + 1]!));
  }
  return hashes;
}

/** Whether all hashes are different. */
export function areDistinct(hashes: readonly number[]): boolean {
  const sorted = Float64Array.from(hashes).sort();
  for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) return false;
  return true;
}

/** A store in which records may be found. */
interface StoredRecords {
  readonly journal: Journal;
  /** The project's number; undefined for a new one. */
  readonly project: number | undefined;
  /** The store's seed for hashes. */
  readonly seed: number;
  /** The locations of a project's live records whose names may have these hashes. */
  readonly find: (project: number, hashes: readonly number[]) => Promise<readonly RecordLocation[]>;
}

/** Whether exactly these records were written before, in this order, as by an import that is repeated. */
export async function areStored(
  pieces: readonly RecordLines[],
  { journal, project, seed, find }: StoredRecords,
): Promise<boolean> {
  if (project === undefined) return false;
  // Mostly all are new, which the first one tells.
  const first = pieces.slice(0, 1).map((one) => ({ ...one, spans: one.spans.subarray(0, RECORD_SPANS) }));
  if ((await find(project, namesIn(first, project, seed))).length === 0) return false;
  const records = recordsIn(pieces);
  const locations = await find(project, namesIn(pieces, project, seed));
  if (locations.length !== records.length) return false;
  const inOrder = locations.toSorted((a, b) => a.at - b.at);
  let [next, areSame] = [0, true];
  for await (const some of inSlices(inOrder, ({ size }) => size)) {
    const from = next;
    journal.visit(some, (i, record) => {
      areSame &&= record?.equals(records[from + i]!) === true;
    });
    if (!areSame) return false;
    next += some.length;
  }
  return true;
}

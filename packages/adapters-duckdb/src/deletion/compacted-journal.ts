// Copies the remaining records of a journal, and maps their old locations to new ones.

import { rmSync } from "node:fs";
import { basename } from "node:path";
import { Fault } from "@assay/base";
import { type Journal, openJournal, type RecordLocation } from "../records/journal.ts";
import { byteOf, openPackedJournal } from "../records/packed-journal.ts";
import type { RecordFile } from "../records/record-files.ts";

/** Maps old locations of records to new ones. */
export interface MovedRecords {
  /** The new location of the record that began at `at`; undefined if it was removed. */
  newLocation(at: number): number | undefined;
}

const BATCH = 4096;

/** Records to keep, and their locations. */
interface RemainingRecords {
  readonly file: RecordFile;
  /** The journal of the file. */
  readonly journal: Pick<Journal, "visit">;
  readonly kept: readonly RecordLocation[];
}

/**
 * Writes the records at these locations, in file order, to a new file at `path`, which is on the disk when the promise
 * resolves. Throws a `corrupt` fault for a damaged record: its owner is unknown.
 */
export async function writeCompacted(
  path: string,
  { file, journal, kept }: RemainingRecords,
): Promise<MovedRecords> {
  const before = Float64Array.from(kept.map(({ at }) => at)).sort();
  const after = new Float64Array(before.length);
  const byLocation = kept.toSorted((a, b) => a.at - b.at);
  rmSync(path, { force: true });
  const written = await (file.isPacked ? openPackedJournal : openJournal)(path, 0, false);
  try {
    for (let i = 0; i < byLocation.length; i += BATCH) {
      const records: Buffer[] = [];
      const some = byLocation.slice(i, i + BATCH);
      journal.visit(some, (j, record) => {
        if (record === undefined) throw damaged(path, some[j]!);
        records[j] = Buffer.from(record);
      });
      for (const [j, { at }] of (await written.append(records)).entries()) after[i + j] = at;
    }
  } finally {
    await written.close();
  }
  return { newLocation: (at) => after[indexOf(before, at)] };
}

function damaged(path: string, location: RecordLocation): Fault {
  const name = basename(path).replace(/\.compacted$/, "");
  return new Fault("corrupt", `${name} is damaged at byte ${byteOf(location)}: run assay doctor first`);
}

/** The index of a number in a sorted list; -1 if missing. */
function indexOf(sorted: Float64Array, wanted: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] === wanted) return middle;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

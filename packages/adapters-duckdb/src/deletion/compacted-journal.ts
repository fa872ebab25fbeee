// A journal with the records that stay, one after another, and where each of them is then.

import { open } from "node:fs/promises";
import { basename } from "node:path";
import { Fault } from "@assay/base";
import { type Journal, type Place, writeFault } from "../journal.ts";
import { PRIVATE_FILE } from "../private-files.ts";

/** Where records went that were at a place before. */
export interface MovedRecords {
  /** The first byte of the record that began at `at`; undefined when it does not stay. */
  newPlace(at: number): number | undefined;
}

const BATCH = 4096;
const NEWLINE = Buffer.from("\n");

/**
 * Writes the records at these places, in the order of the file, to `path`, on the disk when the promise resolves. Throws a
 * `corrupt` fault for a record that is damaged: it is not known whose it is.
 */
export async function writeCompacted(
  path: string,
  journal: Journal,
  places: readonly Place[],
): Promise<MovedRecords> {
  const before = Float64Array.from(places.map(({ at }) => at)).sort();
  const after = new Float64Array(before.length);
  const byPlace = places.toSorted((a, b) => a.at - b.at);
  try {
    const handle = await open(path, "w", PRIVATE_FILE);
    try {
      let end = 0;
      for (let i = 0; i < byPlace.length; i += BATCH) {
        const pieces: Buffer[] = [];
        const some = byPlace.slice(i, i + BATCH);
        journal.visit(some, (j, record) => {
          if (record === undefined) throw damaged(path, some[j]!.at);
          after[i + j] = end;
          end += record.length + 1;
          pieces.push(Buffer.from(record), NEWLINE);
        });
        await handle.appendFile(Buffer.concat(pieces));
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof Fault ? error : writeFault(error, basename(path));
  }
  return { newPlace: (at) => after[indexOf(before, at)] };
}

function damaged(path: string, at: number): Fault {
  const name = basename(path).replace(/\.compacted$/, "");
  return new Fault("corrupt", `${name} is damaged at byte ${at}: let assay doctor look at it first`);
}

/** Where a number is in a sorted list; -1 when it is not there. */
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

// DuckDB's index of records other than calls: their project, a hash of their name, their location. Each kind has a
// table that begins with the same columns. Never reads a record.

import type { Cell, Column, DatabaseReader, Transaction } from "../database/database.ts";
import type { RecordLocation } from "./journal.ts";

/** The tables of this shape. Their names are used in SQL, and so come only from here. */
export type RecordTable = "dataset_rows" | "objects" | "row_tables" | "files" | "feedback";

// How many names are looked up in one statement. A list cast from text takes memory in proportion to its length.
const AT_ONCE = 16_384;

/** The locations of records that may have these names (all records if undefined), in the order they were written. */
export async function findRecords(
  reader: DatabaseReader,
  table: RecordTable,
  project: number,
  nameHashes: readonly number[] | undefined,
): Promise<RecordLocation[]> {
  const select = `SELECT place, size, crc FROM ${table} WHERE project = ?`;
  if (nameHashes === undefined)
    return locationsOf(await reader.columns(`${select} ORDER BY place`, [project]));
  const founds: RecordLocation[] = [];
  for (let i = 0; i < nameHashes.length; i += AT_ONCE) {
    const some = nameHashes.slice(i, i + AT_ONCE);
    founds.push(
      ...locationsOf(
        await reader.columns(`${select} AND name_hash IN (SELECT unnest(?::DOUBLE[])) ORDER BY place`, [
          project,
          some,
        ]),
      ),
    );
  }
  return nameHashes.length <= AT_ONCE ? founds : founds.sort((a, b) => a.at - b.at);
}

/** Locations from the columns `place, size, crc`, which come first. */
export function locationsOf(columns: readonly (readonly Cell[])[]): RecordLocation[] {
  const [at, size, crc] = columns as readonly (readonly number[])[];
  return at!.map((at, i) => ({ at, size: size![i]!, crc: crc![i]! }));
}

/** Adds records: the hash of each name, its location, and further columns of the table. */
export async function addRecords(
  transaction: Transaction,
  table: RecordTable,
  project: number,
  nameHashes: readonly number[],
  locations: readonly RecordLocation[],
  more: readonly Column[] = [],
): Promise<void> {
  if (locations.length === 0) return;
  await transaction.append(table, [
    { type: "INTEGER", same: project, count: locations.length },
    { type: "DOUBLE", values: new Float64Array(nameHashes) },
    { type: "DOUBLE", values: numbersOf(locations, "at") },
    { type: "UINTEGER", values: numbersOf(locations, "size") },
    { type: "UINTEGER", values: numbersOf(locations, "crc") },
    ...more,
  ]);
}

/** One number of each location. A loop, since `Float64Array.from` takes ten times as long. */
export function numbersOf(locations: readonly RecordLocation[], of: keyof RecordLocation): Float64Array {
  const numbers = new Float64Array(locations.length);
  for (let i = 0; i < locations.length; i++) numbers[i] = locations[i]![of];
  return numbers;
}

/** Removes the records at these locations from the index. */
export async function removeRecords(
  transaction: Transaction,
  table: RecordTable,
  locations: readonly RecordLocation[],
): Promise<void> {
  if (locations.length === 0) return;
  await transaction.run(`DELETE FROM ${table} WHERE place IN (SELECT unnest(?::DOUBLE[]))`, [
    locations.map(({ at }) => at),
  ]);
}

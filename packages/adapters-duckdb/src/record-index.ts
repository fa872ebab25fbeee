// DuckDB's index of records other than calls: their project, a hash of their name, their place. Each kind has a table
// that begins with the same columns. Never reads a record.

import type { Cell, Column, Reader, Transaction } from "./database.ts";
import type { Place } from "./journal.ts";

/** The tables of this shape. Their names are used in SQL, and so come only from here. */
export type RecordTable = "dataset_rows" | "objects" | "row_tables" | "files" | "feedback";

// How many names are looked up in one statement. A list cast from text takes memory in proportion to its length.
const AT_ONCE = 16_384;

/** The places of the records that may have these names (all records if undefined), in the order they were written. */
export async function findRecords(
  reader: Reader,
  table: RecordTable,
  project: number,
  nameHashes: readonly number[] | undefined,
): Promise<Place[]> {
  const select = `SELECT place, size, crc FROM ${table} WHERE project = ?`;
  if (nameHashes === undefined) return placesOf(await reader.columns(`${select} ORDER BY place`, [project]));
  const founds: Place[] = [];
  for (let i = 0; i < nameHashes.length; i += AT_ONCE) {
    const some = nameHashes.slice(i, i + AT_ONCE);
    founds.push(
      ...placesOf(
        await reader.columns(`${select} AND name_hash IN (SELECT unnest(?::DOUBLE[])) ORDER BY place`, [
          project,
          some,
        ]),
      ),
    );
  }
  return nameHashes.length <= AT_ONCE ? founds : founds.sort((a, b) => a.at - b.at);
}

/** Places from the columns `place, size, crc`, which come first. */
export function placesOf(columns: readonly (readonly Cell[])[]): Place[] {
  const [at, size, crc] = columns as readonly (readonly number[])[];
  return at!.map((at, i) => ({ at, size: size![i]!, crc: crc![i]! }));
}

/** Adds records: the hash of each name, its place, and further columns of the table. */
export async function addRecords(
  transaction: Transaction,
  table: RecordTable,
  project: number,
  nameHashes: readonly number[],
  places: readonly Place[],
  more: readonly Column[] = [],
): Promise<void> {
  if (places.length === 0) return;
  await transaction.append(table, [
    { type: "INTEGER", values: places.map(() => project) },
    { type: "DOUBLE", values: nameHashes },
    { type: "DOUBLE", values: places.map(({ at }) => at) },
    { type: "UINTEGER", values: places.map(({ size }) => size) },
    { type: "UINTEGER", values: places.map(({ crc }) => crc) },
    ...more,
  ]);
}

/** Removes the records at these places from the index. */
export async function removeRecords(
  transaction: Transaction,
  table: RecordTable,
  places: readonly Place[],
): Promise<void> {
  if (places.length === 0) return;
  await transaction.run(`DELETE FROM ${table} WHERE place IN (SELECT unnest(?::DOUBLE[]))`, [
    places.map(({ at }) => at),
  ]);
}

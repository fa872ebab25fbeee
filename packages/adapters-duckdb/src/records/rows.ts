// Dataset rows: found by reference or digest, and written and read like calls.

import { Fault, type Json, jsonText } from "@assay/base";
import { parseJson } from "@assay/base/internal";
import {
  type DatasetRow,
  type RecordWriter,
  type RowScan,
  type RowSource,
  type RowWriter,
  rowIdOf,
} from "@assay/calls";
import type { Database, DatabaseReader, Transaction } from "../database/database.ts";
import type { Project, Projects } from "../database/projects.ts";
import { idHash } from "./id-hash.ts";
import type { Journal, RecordLocation } from "./journal.ts";
import { inSlices, mapInTurns, readInTurns } from "./read-in-turns.ts";
import { recordCache } from "./record-cache.ts";
import { ROWS_FILE } from "./record-files.ts";
import { addRecords, findRecords, removeRecords } from "./record-index.ts";
import { areDistinct, areStored, namesIn, recordsIn } from "./record-lines.ts";

/** The result of putting rows. */
interface WrittenRows {
  /** Rows that changed. */
  readonly count: number;
  /** The project to remember once the transaction has committed; undefined if nothing changed. */
  readonly project: Project | undefined;
}

/** Writes rows as part of a transaction. */
export interface RowTransactions {
  /** Puts the rows that do not exist yet. */
  putNew(transaction: Transaction, project: string, rows: readonly DatasetRow[]): Promise<WrittenRows>;
}

/**
 * The dataset rows of a store. A put is stored completely or not at all, and is on the disk when the promise resolves.
 */
export function rowStore(
  database: Database,
  journal: Journal,
  projects: Projects,
  seed: number,
): RowSource & RowWriter & RowScan & RowTransactions & { readonly putLines: RecordWriter["putRows"] } {
  /** Rows that may have these names, by name. */
  const find = async (
    reader: DatabaseReader,
    project: number,
    names: readonly string[],
  ): Promise<Map<string, { readonly found: RecordLocation; readonly text: string; readonly val: Json }>> => {
    const hashes = await mapInTurns(new Set(names), (name) => idHash(name, project, seed));
    const founds = await findRecords(reader, "dataset_rows", project, hashes);
    const rows = new Map<string, { found: RecordLocation; text: string; val: Json }>();
    const read = await readInTurns(founds, (some) =>
      journal.texts(some).map((text, i) => ({ found: some[i]!, text, row: readRecord(text) })),
    );
    for (const { found, text, row } of read) rows.set(nameOf(row), { found, text, val: row.val });
    return rows;
  };

  const putIn = async (
    transaction: Transaction,
    name: string,
    given: readonly DatasetRow[],
    mayReplace: (known: string | undefined) => boolean,
  ): Promise<WrittenRows> => {
    const project = projects.next(name);
    // A request may have hundreds of thousands of rows, or rows of megabytes.
    const texts = new Map(await mapInTurns(given, (row) => [nameOf(row), recordOf(row)] as const));
    const known = await find(transaction, project.number, [...texts.keys()]);
    const changed = [...texts].filter(([row, text]) => {
      const before = known.get(row)?.text;
      return before !== text && mayReplace(before);
    });
    if (changed.length === 0) return { count: 0, project: undefined };
    const locations = await journal.append(await mapInTurns(changed, ([, text]) => Buffer.from(text)));
    await removeRecords(
      transaction,
      "dataset_rows",
      changed.flatMap(([row]) => known.get(row)?.found ?? []),
    );
    const hashes = await mapInTurns(changed, ([row]) => idHash(row, project.number, seed));
    await addRecords(transaction, "dataset_rows", project.number, hashes, locations);
    const next = { ...project, rowsVersion: project.rowsVersion + 1 };
    await projects.save(name, next, transaction);
    return { count: changed.length, project: next };
  };

  const recent = recordCache<Json>();

  return {
    version: (name) => projects.find(name)?.rowsVersion ?? 0,

    async rows(name, refs) {
      const project = projects.find(name);
      if (project === undefined || refs.length === 0) return refs.map(() => undefined);
      return recent(project.number, project.rowsVersion, refs, async (some) => {
        const rows = await find(
          database,
          project.number,
          some.flatMap((ref) => [ref, rowIdOf(ref) ?? ref]),
        );
        return some.map((ref) => {
          const row = rows.get(ref) ?? rows.get(rowIdOf(ref) ?? ref);
          return { value: row?.val, size: row?.found.size ?? 0 };
        });
      });
    },

    async put(name, given) {
      let written: WrittenRows | undefined;
      await database.write(async (transaction) => {
        written = await putIn(transaction, name, given, () => true);
      });
      if (written?.project !== undefined) projects.remember(name, written.project);
      return written?.count ?? 0;
    },

    async *scan(name, names) {
      const project = projects.find(name);
      if (project === undefined) return;
      const wanted = names && new Set(names);
      const hashes = wanted && Array.from(wanted, (one) => idHash(one, project.number, seed));
      const founds = await findRecords(database, "dataset_rows", project.number, hashes);
      for await (const slice of inSlices(founds, ({ size }) => size)) {
        const texts = journal.texts(slice);
        yield wanted === undefined ? texts : texts.filter((text) => wanted.has(nameOf(readRecord(text))));
      }
    },

    async putLines(name, rows) {
      const findRows = (project: number, hashes: readonly number[]) =>
        findRecords(database, "dataset_rows", project, hashes);
      const known = projects.find(name)?.number;
      if (await areStored(rows, { journal, project: known, seed, find: findRows })) return 0;
      let written: Project | undefined;
      // While the disk is awaited for earlier records.
      const prepared = await journal.prepare(recordsIn(rows));
      const count = await database.write(async (transaction) => {
        const project = projects.next(name);
        const { number, rowsVersion } = project;
        const hashes = namesIn(rows, number, seed);
        const isKnown =
          rowsVersion > 0 && (await findRecords(transaction, "dataset_rows", number, hashes)).length > 0;
        if (isKnown || !areDistinct(hashes)) return undefined;
        const { locations, onDisk } = prepared.begin();
        await onDisk;
        await addRecords(transaction, "dataset_rows", number, hashes, locations);
        written = { ...project, rowsVersion: rowsVersion + 1 };
        await projects.save(name, written, transaction);
        return locations.length;
      });
      if (written !== undefined) projects.remember(name, written);
      return count;
    },

    putNew: (transaction, name, given) => putIn(transaction, name, given, (known) => known === undefined),
  };
}

/** The name by which a row is found. */
function nameOf({ digest, ref }: DatasetRow): string {
  return ref ?? digest;
}

function recordOf({ digest, ref, val }: DatasetRow): string {
  return jsonText(ref === undefined ? { digest, val } : { digest, ref, val });
}

function readRecord(text: string): DatasetRow {
  try {
    return parseJson(text) as unknown as DatasetRow;
  } catch (error) {
    throw new Fault("corrupt", "a dataset row is damaged: importing it again repairs it", {
      cause: error,
      file: ROWS_FILE.name,
    });
  }
}

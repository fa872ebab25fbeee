// Dataset rows: found by reference or digest, written and read as calls are.

import { Fault, type Json } from "@assay/base";
import { type DatasetRow, type RowSource, rowIdOf } from "@assay/eval-engine";
import type { Database, Reader } from "./database.ts";
import { idHash } from "./id-hash.ts";
import type { Journal, Place } from "./journal.ts";
import type { Project, Projects } from "./projects.ts";

/** Writes dataset rows. */
export interface RowWriter {
  /**
   * Puts rows: one under a digest or reference that is there replaces it; one that is there already changes nothing.
   * All or none, and on the disk when the promise resolves: the number of rows that changed.
   */
  put(project: string, rows: readonly DatasetRow[]): Promise<number>;
}

interface FoundRow extends Place {
  readonly nameHash: number;
}

/** The dataset rows of a store. */
export function rowStore(
  database: Database,
  journal: Journal,
  projects: Projects,
  seed: number,
): RowSource & RowWriter {
  /** Rows that may be under these names, by name. */
  const find = async (
    reader: Reader,
    project: number,
    names: readonly string[],
  ): Promise<Map<string, { readonly found: FoundRow; readonly text: string; readonly val: Json }>> => {
    const hashes = [...new Set(names)].map((name) => idHash(name, project, seed));
    const [at, size, crc, nameHash] = (await reader.columns(
      `SELECT place, size, crc, name_hash FROM dataset_rows
       WHERE project = ? AND name_hash IN (SELECT unnest(?::DOUBLE[]))`,
      [project, hashes],
    )) as readonly (readonly number[])[];
    const founds = at!.map((at, i) => ({ at, size: size![i]!, crc: crc![i]!, nameHash: nameHash![i]! }));
    const rows = new Map<string, { found: FoundRow; text: string; val: Json }>();
    for (const [i, text] of journal.texts(founds).entries()) {
      const { digest, ref, val } = readRecord(text);
      rows.set(ref ?? digest, { found: founds[i]!, text, val });
    }
    return rows;
  };

  return {
    version: (name) => projects.find(name)?.rowsVersion ?? 0,

    async rows(name, refs) {
      const project = projects.find(name);
      if (project === undefined || refs.length === 0) return refs.map(() => undefined);
      const rows = await find(
        database,
        project.number,
        refs.flatMap((ref) => [ref, rowIdOf(ref) ?? ref]),
      );
      return refs.map((ref) => (rows.get(ref) ?? rows.get(rowIdOf(ref) ?? ref))?.val);
    },

    async put(name, given) {
      let written: Project | undefined;
      const count = await database.write(async (transaction) => {
        const project = projects.next(name);
        const texts = new Map(given.map((row) => [row.ref ?? row.digest, recordOf(row)]));
        const known = await find(transaction, project.number, [...texts.keys()]);
        const changed = [...texts].filter(([row, text]) => known.get(row)?.text !== text);
        if (changed.length === 0) return 0;
        const places = await journal.append(changed.map(([, text]) => Buffer.from(text)));
        const replaced = changed.flatMap(([row]) => known.get(row)?.found.at ?? []);
        if (replaced.length > 0) {
          await transaction.run("DELETE FROM dataset_rows WHERE place IN (SELECT unnest(?::DOUBLE[]))", [
            replaced,
          ]);
        }
        await transaction.append("dataset_rows", [
          { type: "INTEGER", values: changed.map(() => project.number) },
          { type: "DOUBLE", values: changed.map(([row]) => idHash(row, project.number, seed)) },
          { type: "DOUBLE", values: places.map(({ at }) => at) },
          { type: "UINTEGER", values: places.map(({ size }) => size) },
          { type: "UINTEGER", values: places.map(({ crc }) => crc) },
        ]);
        written = { ...project, rowsVersion: project.rowsVersion + 1 };
        await projects.save(name, written, transaction);
        return changed.length;
      });
      if (written !== undefined) projects.remember(name, written);
      return count;
    },
  };
}

function recordOf({ digest, ref, val }: DatasetRow): string {
  return JSON.stringify(ref === undefined ? { digest, val } : { digest, ref, val });
}

function readRecord(text: string): DatasetRow {
  try {
    return JSON.parse(text) as DatasetRow;
  } catch (error) {
    throw new Fault("corrupt", "a dataset row is damaged: importing it again repairs it", { cause: error });
  }
}

// Tables: one record each, with the digests of its rows. The rows are dataset rows of the store, which queries resolve.

import { Fault } from "@assay/base";
import { inTurns, parseSteps, timeSlice } from "@assay/base/internal";
import type { RowSource } from "@assay/calls";
import type { TableStore } from "@assay/trace-core";
import type { DatabaseReader } from "../database/database.ts";
import type { Project } from "../database/projects.ts";
import { OBJECTS_FILE } from "../records/record-files.ts";
import { addRecords, findRecords } from "../records/record-index.ts";
import type { RowTransactions } from "../records/rows.ts";
import { hashIn, type RecordParts } from "./parts.ts";

interface TableRecord {
  readonly digest: string;
  readonly rows: readonly string[];
}

/** Stores tables in a data directory, and their rows in `rows`. */
export function duckdbTableStore(parts: RecordParts, rows: RowSource & RowTransactions): TableStore {
  const { database, journal, projects } = parts;

  const find = async (
    reader: DatabaseReader,
    project: number,
    digest: string,
  ): Promise<readonly string[] | undefined> => {
    const hash = hashIn(parts, project)(digest);
    const locations = await findRecords(reader, "row_tables", project, [hash]);
    for (const location of locations) {
      const table = await readTable(journal.texts([location])[0]!);
      if (table.digest === digest) return table.rows;
    }
    return undefined;
  };

  return {
    async put(name, digest, rowDigests, given) {
      let written: Project | undefined;
      await database.write(async (transaction) => {
        const project = projects.next(name);
        written = (await rows.putNew(transaction, name, given)).project;
        if ((await find(transaction, project.number, digest)) !== undefined) return;
        if (written === undefined) {
          written = project;
          await projects.save(name, project, transaction);
        }
        const table: TableRecord = { digest, rows: rowDigests };
        const locations = await journal.append([Buffer.from(JSON.stringify(table))]);
        const hash = hashIn(parts, project.number)(digest);
        await addRecords(transaction, "row_tables", project.number, [hash], locations);
      });
      if (written !== undefined) projects.remember(name, written);
    },

    async table(name, digest) {
      const project = projects.find(name);
      return project && find(database, project.number, digest);
    },

    rowValues: async (name, digests) => rows.rows(name, digests),
  };
}

// Tables of at least this many characters are parsed in steps: thousands of rows.
const LONG = 256 * 1024;

async function readTable(text: string): Promise<TableRecord> {
  try {
    if (text.length <= LONG) return JSON.parse(text) as TableRecord;
    const steps = parseSteps(Buffer.from(text), { decode, logged: false });
    return (await inTurns(steps, timeSlice())) as TableRecord;
  } catch (error) {
    throw new Fault("corrupt", "a table is damaged", { cause: error, file: OBJECTS_FILE.name });
  }
}

const decode = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();

// Directories in the state that older versions of the tables left.

import { join } from "node:path";
import { openDatabase } from "../src/database/database.ts";
import { createTables } from "../src/database/schema.ts";
import { writeRedoLog } from "../src/recovery/redo-log.ts";
import { freshDirectory } from "./support.ts";

/** A directory with empty tables and a redo log of version `schema`. */
export async function olderDirectory(schema: number): Promise<string> {
  const directory = freshDirectory();
  const file = join(directory, "assay.duckdb");
  const database = await openDatabase(file, { readOnly: false, memory: "128MB", threads: 1 });
  const store = { id: "s", seed: 1 };
  await database.write((transaction) => createTables(transaction, schema, store));
  async function* empty() {
    yield [];
  }
  const head = { store, schema, continues: undefined };
  const { log, at } = await writeRedoLog(join(directory, "redo.log"), head, empty());
  await database.write((transaction) =>
    transaction.run("UPDATE log_position SET log = ?, done_to = ?, began = ?", [log, at, at]),
  );
  await database.close();
  return directory;
}

// The tables, as numbered steps from an empty file to the current version. Never edit a released step: add another.

import { Fault } from "@assay/base";
import type { DatabaseReader, UnloggedDatabase, UnloggedTransaction } from "./database.ts";

// Whole numbers below 2^53 are DOUBLE: JavaScript's number type, which can be copied as a block.
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    "CREATE TABLE store (id VARCHAR NOT NULL, seed DOUBLE NOT NULL)",
    "CREATE TABLE projects (number INTEGER NOT NULL, name VARCHAR NOT NULL, version DOUBLE NOT NULL, rows_version DOUBLE NOT NULL)",
    // One row per stored call, in the order of the journal. `*_hash`: id-hash.ts. No index: DuckDB scans a column of a
    // million hashes in the time that maintaining its index would add to each batch.
    `CREATE TABLE calls (
      project INTEGER NOT NULL,
      version DOUBLE NOT NULL,
      id_hash DOUBLE NOT NULL,
      parent_hash DOUBLE,
      trace_hash DOUBLE,
      op_name VARCHAR NOT NULL,
      started DOUBLE,
      deleted_at VARCHAR,
      place DOUBLE NOT NULL,
      size UINTEGER NOT NULL,
      crc UINTEGER NOT NULL
    )`,
    // Calls that were moved away from their parent: the calls themselves no longer show that cached data of that parent
    // is outdated.
    "CREATE TABLE moves (project INTEGER NOT NULL, version DOUBLE NOT NULL, parent_hash DOUBLE NOT NULL)",
    `CREATE TABLE dataset_rows (
      project INTEGER NOT NULL,
      name_hash DOUBLE NOT NULL,
      place DOUBLE NOT NULL,
      size UINTEGER NOT NULL,
      crc UINTEGER NOT NULL
    )`,
  ],
  // Data of Weave clients other than calls and rows. Each row names a record, whose journal holds its content.
  [
    `CREATE TABLE objects (
      project INTEGER NOT NULL,
      name_hash DOUBLE NOT NULL,
      place DOUBLE NOT NULL,
      size UINTEGER NOT NULL,
      crc UINTEGER NOT NULL,
      version_index DOUBLE NOT NULL,
      deleted_at VARCHAR
    )`,
    `CREATE TABLE row_tables (
      project INTEGER NOT NULL,
      name_hash DOUBLE NOT NULL,
      place DOUBLE NOT NULL,
      size UINTEGER NOT NULL,
      crc UINTEGER NOT NULL
    )`,
    `CREATE TABLE files (
      project INTEGER NOT NULL,
      name_hash DOUBLE NOT NULL,
      place DOUBLE NOT NULL,
      size UINTEGER NOT NULL,
      crc UINTEGER NOT NULL
    )`,
    // The id is only used for ordering.
    `CREATE TABLE feedback (
      project INTEGER NOT NULL,
      name_hash DOUBLE NOT NULL,
      place DOUBLE NOT NULL,
      size UINTEGER NOT NULL,
      crc UINTEGER NOT NULL,
      about_hash DOUBLE NOT NULL,
      created DOUBLE,
      id VARCHAR NOT NULL
    )`,
  ],
  [
    // One row per request that reached an engine; `ended` is in milliseconds since 1970, `day` in UTC.
    `CREATE TABLE usage (
      id VARCHAR NOT NULL,
      ended DOUBLE NOT NULL,
      day VARCHAR NOT NULL,
      entity VARCHAR NOT NULL,
      project VARCHAR NOT NULL,
      key_id VARCHAR NOT NULL,
      end_user VARCHAR,
      model VARCHAR NOT NULL,
      step DOUBLE,
      streamed BOOLEAN NOT NULL,
      outcome VARCHAR NOT NULL,
      prompt_tokens DOUBLE NOT NULL,
      generated_tokens DOUBLE NOT NULL,
      delivered_tokens DOUBLE NOT NULL,
      estimated BOOLEAN NOT NULL
    )`,
    // `scopes` is JSON; times are in milliseconds since 1970.
    `CREATE TABLE api_keys (
      id VARCHAR NOT NULL,
      hash VARCHAR NOT NULL,
      name VARCHAR NOT NULL,
      scopes VARCHAR NOT NULL,
      created_at DOUBLE NOT NULL,
      expires_at DOUBLE,
      revoked_at DOUBLE
    )`,
  ],
  // Training. `body` is the whole object as JSON; the other columns are for lookups. A job is the sum of its events,
  // stored with them so that reading its status does not require reading all events.
  [
    `CREATE TABLE training_models (
      id VARCHAR NOT NULL,
      name_key VARCHAR NOT NULL,
      created DOUBLE NOT NULL,
      version DOUBLE NOT NULL,
      deleted BOOLEAN NOT NULL,
      busy BOOLEAN NOT NULL,
      body VARCHAR NOT NULL
    )`,
    `CREATE TABLE training_checkpoints (
      model VARCHAR NOT NULL,
      step DOUBLE NOT NULL,
      id VARCHAR NOT NULL,
      deleted BOOLEAN NOT NULL,
      body VARCHAR NOT NULL
    )`,
    `CREATE TABLE training_jobs (
      number DOUBLE NOT NULL,
      id VARCHAR NOT NULL,
      model VARCHAR NOT NULL,
      place DOUBLE NOT NULL,
      created DOUBLE NOT NULL,
      version DOUBLE NOT NULL,
      state VARCHAR NOT NULL,
      ended BOOLEAN NOT NULL,
      body VARCHAR NOT NULL
    )`,
    "CREATE TABLE training_specs (job DOUBLE NOT NULL, kind VARCHAR NOT NULL, body VARCHAR NOT NULL)",
    `CREATE TABLE training_events (
      job DOUBLE NOT NULL,
      seq DOUBLE NOT NULL,
      id VARCHAR NOT NULL,
      type VARCHAR NOT NULL,
      body VARCHAR NOT NULL
    )`,
    "CREATE TABLE training_replies (key_text VARCHAR NOT NULL, expires DOUBLE NOT NULL, body VARCHAR NOT NULL)",
  ],
  // The training data of a job is kept until the job ends.
  ["DELETE FROM training_specs WHERE job IN (SELECT number FROM training_jobs WHERE ended)"],
  // How much of the redo log has been applied, and where the log's initial state ends.
  [
    "CREATE TABLE log_position (log VARCHAR NOT NULL, done_to DOUBLE NOT NULL, began DOUBLE NOT NULL)",
    "INSERT INTO log_position VALUES ('', 0, 0)",
  ],
  // Runs and artifacts. `body` is the whole object as JSON; `project` is its entity and name as JSON. The bytes of
  // files are artifacts of the data directory, by SHA-256.
  [
    `CREATE TABLE tracking_runs (
      id VARCHAR NOT NULL,
      project VARCHAR NOT NULL,
      name VARCHAR NOT NULL,
      created DOUBLE NOT NULL,
      version DOUBLE NOT NULL,
      body VARCHAR NOT NULL
    )`,
    `CREATE TABLE tracking_lines (
      run VARCHAR NOT NULL,
      stream VARCHAR NOT NULL,
      line DOUBLE NOT NULL,
      step DOUBLE NOT NULL,
      body VARCHAR NOT NULL
    )`,
    "CREATE TABLE tracking_files (run VARCHAR NOT NULL, name VARCHAR NOT NULL, sha256 VARCHAR NOT NULL, body VARCHAR NOT NULL)",
    "CREATE TABLE tracking_uses (run VARCHAR NOT NULL, artifact VARCHAR NOT NULL)",
    `CREATE TABLE tracking_collections (
      id VARCHAR NOT NULL,
      project VARCHAR NOT NULL,
      name VARCHAR NOT NULL,
      type VARCHAR NOT NULL,
      version DOUBLE NOT NULL,
      body VARCHAR NOT NULL
    )`,
    `CREATE TABLE tracking_artifacts (
      id VARCHAR NOT NULL,
      collection VARCHAR NOT NULL,
      committed BOOLEAN NOT NULL,
      number DOUBLE,
      digest VARCHAR NOT NULL,
      run VARCHAR,
      manifest VARCHAR,
      created DOUBLE NOT NULL,
      body VARCHAR NOT NULL
    )`,
    "CREATE TABLE tracking_aliases (collection VARCHAR NOT NULL, alias VARCHAR NOT NULL, artifact VARCHAR NOT NULL)",
    `CREATE TABLE tracking_entries (
      artifact VARCHAR NOT NULL,
      project VARCHAR NOT NULL,
      path VARCHAR NOT NULL,
      digest VARCHAR NOT NULL,
      body VARCHAR NOT NULL
    )`,
    `CREATE TABLE tracking_blobs (
      project VARCHAR NOT NULL,
      md5 VARCHAR NOT NULL,
      sha256 VARCHAR NOT NULL,
      size DOUBLE NOT NULL,
      created DOUBLE NOT NULL
    )`,
    // The secret that signs the addresses for uploading and downloading files.
    "CREATE TABLE tracking_secret (secret VARCHAR NOT NULL)",
  ],
  // Files that clients have uploaded for jobs. `project` is its entity and name as JSON.
  [
    `CREATE TABLE training_files (
      id VARCHAR NOT NULL,
      project VARCHAR NOT NULL,
      purpose VARCHAR NOT NULL,
      created DOUBLE NOT NULL,
      deleted BOOLEAN NOT NULL,
      body VARCHAR NOT NULL
    )`,
  ],
  // Null means no limit: a key's verbs are JSON. Tokens that an engine read from its cache cost less.
  [
    "ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS verbs VARCHAR",
    "ALTER TABLE usage ADD COLUMN IF NOT EXISTS cached_tokens DOUBLE",
  ],
  // The contents of evaluation lists, at a version of their project. Only a cache: they are computed from calls.
  [
    "CREATE TABLE evaluation_lists (project INTEGER NOT NULL, version DOUBLE NOT NULL)",
    "CREATE TABLE evaluations (project INTEGER NOT NULL, id_hash DOUBLE NOT NULL, body VARCHAR NOT NULL)",
  ],
  // From this version on, a redo log names statements by number: it is rewritten, and older programs, which look for
  // the texts of statements, do not open it.
  [],
  // The prices of tokens in projects, set by clients.
  [
    "CREATE TABLE costs (project INTEGER NOT NULL, id VARCHAR NOT NULL, created DOUBLE NOT NULL, body VARCHAR NOT NULL)",
  ],
  // Directions of scores in projects: whether more is better (`higher`), less is better (`lower`), or neither (`none`).
  [
    "CREATE TABLE score_directions (project INTEGER NOT NULL, field VARCHAR NOT NULL, direction VARCHAR NOT NULL)",
  ],
  // From this version on, records may be in packed journals, which an older program would consider missing.
  [],
  // From this version on, a redo log encodes whole numbers and places, which an older program cannot read.
  [],
];

/** The tables with a store's state: all except those for its identity and its position in the log. */
export const TABLES: ReadonlySet<string> = new Set(
  MIGRATIONS.flat()
    .flatMap((sql) => /^CREATE TABLE (\w+)/.exec(sql)?.[1] ?? [])
    .filter((table) => table !== "store" && table !== "log_position"),
);

/** The first version of the tables that records how much of the redo log has been applied. */
export const FIRST_LOGGED = 6;

/** The current version of the tables. */
export const SCHEMA: number = MIGRATIONS.length;

/** The tables with the contents of lists: if empty, they are computed again from calls. */
export const LIST_TABLES: readonly ("evaluation_lists" | "evaluations")[] = [
  "evaluation_lists",
  "evaluations",
];

/** The identity of a store, independent of its directory's name. */
export interface StoreIdentity {
  readonly id: string;
  /** The seed of `idHash`: an unsigned 32-bit number. */
  readonly seed: number;
}

/** Creates the tables of version `schema` in an empty database, for this store. */
export async function createTables(
  transaction: UnloggedTransaction,
  schema: number,
  { id, seed }: StoreIdentity,
): Promise<void> {
  await transaction.run("CREATE TABLE schema_version (version INTEGER NOT NULL)");
  for (const statement of MIGRATIONS.slice(0, schema).flat()) await transaction.run(statement);
  await transaction.run("INSERT INTO schema_version VALUES (?)", [schema]);
  await transaction.run("INSERT INTO store VALUES (?, ?)", [id, seed]);
}

/** Migrates tables from version `found` to the current one. */
export async function migrate(database: UnloggedDatabase, found: number): Promise<void> {
  await database.write(async (transaction) => {
    for (const statement of MIGRATIONS.slice(found).flat()) await transaction.run(statement);
    await transaction.run("UPDATE schema_version SET version = ?", [SCHEMA]);
  });
}

/** Throws a `corrupt` fault for tables made by a newer version of this program. */
export function checkSchema(found: number): void {
  if (found <= SCHEMA) return;
  throw new Fault(
    "corrupt",
    `the store was written by a newer version (schema ${found}; this one knows ${SCHEMA})`,
  );
}

/** The identity of the store. */
export async function identityOf(database: DatabaseReader): Promise<StoreIdentity> {
  const [id, seed] = await database.columns("SELECT id, seed FROM store");
  return { id: id![0] as string, seed: seed![0] as number };
}

/** The version of a database's tables; 0 if it has none. */
export async function schemaVersion(database: DatabaseReader): Promise<number> {
  const [tables] = await database.columns(
    "SELECT table_name FROM information_schema.tables WHERE table_name = 'schema_version'",
  );
  if (tables!.length === 0) return 0;
  const [version] = await database.columns("SELECT version FROM schema_version");
  return version![0] as number;
}

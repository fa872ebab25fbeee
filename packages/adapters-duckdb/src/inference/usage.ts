// The usage ledger: a record is stored in the journal first, and later moved to the table with many others.

import { Fault } from "@assay/base";
import { serialQueue } from "@assay/base/internal";
import type { UsageQuery, UsageRecord, UsageRow, UsageSink, UsageSource } from "@assay/inference-core";
import {
  compareUsageRows,
  dayOf,
  reportUsage,
  USAGE_DIMENSIONS,
  type UsageDimension,
} from "@assay/inference-core/internal";
import type { Cell, Column, Database, Parameter } from "../database/database.ts";
import { openUsageJournal, readUsageJournal, type SyncFile, type UsageJournal } from "./usage-journal.ts";

/** A usage ledger in a data directory. */
export interface UsageLedger extends UsageSink, UsageSource {
  /** Waits for pending writes. Call it before closing the store. */
  close(): Promise<void>;
}

/** How to open a ledger. */
export interface UsageLedgerOptions {
  /** Called for records that cannot be read back because the disk changed them. */
  readonly onDamage?: (message: string) => void;
  /** Syncs a file to the disk. Default: `fdatasync`; tests simulate disks that fail. */
  readonly syncFile?: SyncFile;
}

/** How many records wait in the journal: moving them together takes one transaction. */
const WAITING = 1024;
/** Milliseconds until a record is on the disk: a power cut can lose these, a killed process cannot. */
const SYNC_MS = 20;

/** The table's column for each dimension and filter. */
const COLUMNS: Readonly<Record<UsageDimension | "entity" | "project", string>> = {
  entity: "entity",
  project: "project",
  month: "substr(day, 1, 7)",
  day: "day",
  model: "model",
  step: "step",
  key: "key_id",
  user: "end_user",
};

/** Opens the ledger of a data directory that is open for writing; `database` belongs to its store. */
export async function openUsageLedger(
  database: Database,
  directory: string,
  { onDamage = () => {}, syncFile }: UsageLedgerOptions = {},
): Promise<UsageLedger> {
  const journal = openOrReadJournal(directory, onDamage, syncFile);
  let waiting = new Map(journal.found.map((record) => [record.id, record]));
  let failure: unknown;
  let timer: NodeJS.Timeout | undefined;
  let syncing: Promise<void> = Promise.resolve();

  // Acknowledged records that the disk then failed to sync. The file can no longer be trusted, and no record is taken
  // until all of them are in the table.
  const sync = () => {
    timer = undefined;
    syncing = syncing.then(journal.sync).catch((error: unknown) => {
      failure = error;
    });
  };
  /** Writes the records to the table after their file could not be synced. */
  const heal = async () => {
    await syncing;
    if (failure === undefined) return;
    try {
      await next(move);
      failure = undefined;
    } catch {
      throw failure;
    }
  };

  // If the process dies before the file is emptied, its records are added again; those already in the table change
  // nothing.
  const move = async () => {
    if (waiting.size === 0) return;
    const group = waiting;
    const empty = journal.turn();
    waiting = new Map();
    try {
      await addRecords(database, [...group.values()]);
    } catch (error) {
      waiting = new Map([...group, ...waiting]);
      throw error;
    }
    empty();
  };
  const next = serialQueue();
  let moving = false;
  /**
   * Moves waiting records once there are many. If that fails, they are still in the journal; a report shows the reason.
   */
  const moveMany = (): void => {
    if (moving || waiting.size < WAITING) return;
    moving = true;
    void next(move).then(
      () => {
        moving = false;
        moveMany();
      },
      () => {
        moving = false;
      },
    );
  };

  return {
    async record(record) {
      if (failure !== undefined) await heal();
      if (waiting.has(record.id)) return;
      journal.append(record);
      waiting.set(record.id, record);
      timer ??= setTimeout(sync, SYNC_MS);
      moveMany();
    },
    get lost() {
      return journal.lost;
    },
    async report(query) {
      try {
        await next(move);
        return await report(database, query);
      } catch (error) {
        if (!(error instanceof Fault) || waiting.size === 0) throw error;
        // A report must work even if the disk cannot be written.
        return await reportBoth(database, [...waiting.values()], query);
      }
    },
    async close() {
      clearTimeout(timer);
      await syncing;
      try {
        await next(move).catch(async (error: unknown) => {
          if (failure !== undefined) throw error;
          // The next process that opens the ledger finds them in their file.
          await journal.sync();
        });
      } finally {
        journal.close();
      }
    },
  };
}

/** The journal, read-only if nothing can be written. */
function openOrReadJournal(
  directory: string,
  onDamage: (message: string) => void,
  syncFile: SyncFile | undefined,
): UsageJournal {
  try {
    return openUsageJournal(directory, onDamage, syncFile);
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    if (code !== "EROFS" && code !== "EACCES") throw error;
    return readUsageJournal(directory, onDamage);
  }
}

/** A report on records in the table and on those that are not, or may not be. */
async function reportBoth(
  database: Database,
  records: readonly UsageRecord[],
  query: UsageQuery,
): Promise<readonly UsageRow[]> {
  const [there] = await database.columns("SELECT id FROM usage WHERE id IN (SELECT unnest(?::VARCHAR[]))", [
    records.map(({ id }) => id),
  ]);
  const known = new Set(there);
  const more = reportUsage(
    records.filter(({ id }) => !known.has(id)),
    query,
  );
  const rows = new Map<string, UsageRow>();
  for (const row of [...(await report(database, query)), ...more]) {
    const name = JSON.stringify(
      ["entity", "project", ...USAGE_DIMENSIONS].map((group) => row[group as "entity"] ?? null),
    );
    const before = rows.get(name);
    const sums = SUMS.map((field) => [field, row[field] + (before?.[field] ?? 0)]);
    rows.set(name, { ...row, ...Object.fromEntries(sums) });
  }
  return [...rows.values()].sort(compareUsageRows);
}

/** Adds records to the table, except those whose ids it has. */
async function addRecords(database: Database, records: readonly UsageRecord[]): Promise<void> {
  const column = (type: Column["type"], value: (record: UsageRecord) => Cell): Column => ({
    type,
    values: records.map(value),
  });
  await database.write(async (transaction) => {
    await transaction.run("CREATE OR REPLACE TEMP TABLE usage_batch AS FROM usage LIMIT 0");
    await transaction.append("usage_batch", [
      column("VARCHAR", ({ id }) => id),
      column("DOUBLE", ({ at }) => at),
      column("VARCHAR", ({ at }) => dayOf(at)),
      column("VARCHAR", ({ entity }) => entity),
      column("VARCHAR", ({ project }) => project),
      column("VARCHAR", ({ key }) => key),
      column("VARCHAR", ({ user }) => user),
      column("VARCHAR", ({ model }) => model),
      column("DOUBLE", ({ step }) => step),
      column("BOOLEAN", ({ streamed }) => streamed),
      column("VARCHAR", ({ outcome }) => outcome),
      column("DOUBLE", ({ promptTokens }) => promptTokens),
      column("DOUBLE", ({ generatedTokens }) => generatedTokens),
      column("DOUBLE", ({ deliveredTokens }) => deliveredTokens),
      column("BOOLEAN", ({ counted }) => counted === "estimate"),
      column("DOUBLE", ({ cachedTokens }) => cachedTokens ?? null),
    ]);
    await transaction.run("INSERT INTO usage FROM usage_batch ANTI JOIN usage USING (id)");
    await transaction.run("DROP TABLE usage_batch");
  });
}

async function report(database: Database, query: UsageQuery): Promise<readonly UsageRow[]> {
  const dimensions = USAGE_DIMENSIONS.filter((dimension) => query.by?.includes(dimension));
  const groups = ["entity", "project", ...dimensions] as const;
  const conditions: string[] = [];
  const parameters: Parameter[] = [];
  const where = (condition: string, value: string | number | undefined) => {
    if (value === undefined) return;
    conditions.push(condition);
    parameters.push(value);
  };
  for (const field of ["entity", "project", "model", "step", "key", "user"] as const)
    where(`${COLUMNS[field]} = ?`, query[field]);
  where("day >= ?", query.from);
  where("day <= ?", query.to);
  const names = groups.map((group) => COLUMNS[group]).join(", ");
  const columns = await database.columns(
    `SELECT ${names}, count(*), count(*) FILTER (outcome = 'aborted'), count(*) FILTER (outcome = 'failed'),
      sum(prompt_tokens), sum(generated_tokens), sum(delivered_tokens), count(*) FILTER (estimated),
      coalesce(sum(cached_tokens), 0)
    FROM usage ${conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`}
    GROUP BY ${names}`,
    parameters,
  );
  const fields = [...groups, ...SUMS];
  const rows = columns[0]!.map((_, row) =>
    Object.fromEntries(fields.map((field, column) => [field, columns[column]![row]])),
  );
  // The columns were just requested, in this order and with these types.
  return (rows as unknown as UsageRow[]).sort(compareUsageRows);
}

const SUMS = [
  "requests",
  "aborted",
  "failed",
  "promptTokens",
  "generatedTokens",
  "deliveredTokens",
  "estimated",
  "cachedTokens",
] as const;

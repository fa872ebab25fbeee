// Opens a data directory: its lock, database and journals, and everything that reads and writes through them.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "@assay/base";
import { checkMembers, type Members } from "@assay/base/internal";
import type {
  CallScan,
  CallSource,
  CallWriter,
  RecordWriter,
  RowScan,
  RowSource,
  RowWriter,
} from "@assay/calls";
import type {
  CountedEvaluation,
  EvaluationChoice,
  EvaluationEntry,
  ScoreDirections,
  SegmentStore,
} from "@assay/eval-engine";
import type { KeyStore } from "@assay/inference-core";
import type { TraceStores } from "@assay/trace-core";
import { callStoreOver } from "@assay/trace-core/store-parts";
import type { TrackingStore } from "@assay/tracking-core";
import type { TrainingStore } from "@assay/training-core";
import { type BackupFile, backupFiles } from "./backup/backup-files.ts";
import { callScan } from "./calls/call-scan.ts";
import { callWriter } from "./calls/call-writer.ts";
import { callSource } from "./calls/calls.ts";
import { evaluations } from "./calls/evaluations.ts";
import type { Database } from "./database/database.ts";
import { claimInProcess, type LockNote, writeNote } from "./database/lock.ts";
import { openProjects } from "./database/projects.ts";
import { makeFilePrivate, makePrivate, PRIVATE_FOLDER } from "./files/private-files.ts";
import { openKeyStore } from "./inference/keys.ts";
import { openUsageLedger, type UsageLedger, type UsageLedgerOptions } from "./inference/usage.ts";
import type { Journal } from "./records/journal.ts";
import { type PackedJournal, packingJournal } from "./records/packed-journal.ts";
import {
  CALLS_FILE,
  DATABASE_FILE,
  FILES_FILE,
  OBJECTS_FILE,
  openPackedRecords,
  openPlainRecords,
  PACKED_CALLS_FILE,
  PACKED_ROWS_FILE,
  type RecordFile,
  ROWS_FILE,
} from "./records/record-files.ts";
import { rowStore } from "./records/rows.ts";
import { isMarkedDamaged, openRecovered } from "./recovery/open-recovered.ts";
import { openScoreDirections } from "./score-directions.ts";
import { fileSegments } from "./segments.ts";
import { type StoreCounts, storeCounts } from "./store-counts.ts";
import { duckdbCostStore } from "./trace/cost-store.ts";
import { duckdbFeedbackStore } from "./trace/feedback-store.ts";
import { duckdbFileStore } from "./trace/file-store.ts";
import { duckdbObjectStore } from "./trace/object-store.ts";
import { duckdbTableStore } from "./trace/table-store.ts";
import { signingSecret } from "./tracking/signing-secret.ts";
import { trackingStore } from "./tracking/store.ts";
import { ARTIFACTS_FOLDER, type FileArtifacts, fileArtifacts } from "./training/artifacts.ts";
import { trainingStore } from "./training/store.ts";

/** How to open a store. */
export interface StoreOptions {
  /** The data directory, which is created if missing. */
  readonly directory: string;
  /** Opens the directory only for reading, alongside other readers; writing throws. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Megabytes that DuckDB may use, in addition to the memory of the engine. Default 128. */
  readonly databaseMemory?: number | undefined;
  /** Called with a sentence for each file that was missing or damaged, and what was done about it. */
  readonly tell?: ((message: string) => void) | undefined;
  /** Called with each fault after which nothing can be written, or read, until the store is closed and opened again. */
  readonly onBroken?: ((fault: Fault) => void) | undefined;
}

/** An open data directory. */
export interface Store {
  /**
   * Its calls, for the engine and for writers. A put is stored completely or not at all, becomes visible to all readers
   * simultaneously, and is on the disk when the promise resolves. Throws an `overloaded` fault if more is waiting to be
   * written than may be kept in memory.
   */
  readonly calls: CallSource & CallWriter & CallScan;
  /** Its dataset rows: a put is stored completely or not at all, and is on the disk when the promise resolves. */
  readonly rows: RowSource & RowWriter & RowScan;
  /** A faster way to write calls and rows that this process built itself. */
  readonly records: RecordWriter;
  /** Data of Weave clients. Their calls and rows are in `calls` and `rows`. */
  readonly traces: TraceStores;
  /** The directions of scores in projects. */
  readonly directions: ScoreDirections;
  /** Storage for the columns that the engine builds. */
  readonly segments: SegmentStore;
  /** The names of the projects that have logged or imported content, in no particular order. */
  projects(): readonly string[];
  /** The evaluations of a project whose root call was logged, by start (unknown last), then id. */
  evaluations(project: string): Promise<readonly EvaluationEntry[]>;
  /**
   * The same evaluations, or the chosen ones, with their rows counted. Counts of unchanged evaluations are kept across
   * restarts.
   */
  countedEvaluations(project: string, choice?: EvaluationChoice): Promise<readonly CountedEvaluation[]>;
  /**
   * Stores counts of an evaluation that the caller already knows, if the evaluation still has this number of trials.
   */
  keepCounts(project: string, evaluation: CountedEvaluation): Promise<void>;
  /** Tells other processes that this one serves the directory at `address`; see `lockHolder`. */
  announce(address: string, secret?: string): void;
  /** Whether rows of a project were logged as tables, which list them by digest. */
  hasTables(project: string): Promise<boolean>;
  /** Models, checkpoints, jobs and files of training. */
  readonly training: TrainingStore;
  /** Runs and artifacts that W&B clients log. */
  readonly tracking: TrackingStore;
  /** The bytes of checkpoints, artifacts and uploaded data. */
  readonly artifacts: FileArtifacts;
  /** Reads the API keys. Add and revoke keys only through the first key store that was opened. */
  openKeys(): Promise<KeyStore>;
  /** Opens the token ledger. Call it once, and close the ledger before the store. */
  openUsage(options?: UsageLedgerOptions): Promise<UsageLedger>;
  /** The secret that signs addresses: 32 bytes, created on first use and kept across restarts. */
  signingSecret(): Promise<Uint8Array>;
  /**
   * The files of a backup of the directory at one moment, for `writeBackup`: everything but the database and the
   * columns, which are rebuilt. Writing continues meanwhile. Calls and rows in another database are not included.
   */
  backup(): AsyncIterable<BackupFile>;
  /** Counts of its content. */
  counts(): Promise<StoreCounts>;
  /** Rejects with the fault that a database query would currently cause. */
  check(): Promise<void>;
  /** Waits for pending writes, then releases the directory. */
  close(): Promise<void>;
}

/** How this package and its tests open a store. */
export interface OwnStoreOptions extends StoreOptions {
  /** The total size of records from which they are packed, in bytes. Default: that of `packingJournal`. */
  readonly packedFrom?: number | undefined;
}

const OPTIONS: Members<OwnStoreOptions> = {
  ...{ directory: "text", readOnly: "boolean?", databaseMemory: "number?", tell: "function?" },
  ...{ onBroken: "function?", packedFrom: "number?" },
};

/** A data directory with its database, for this package only. */
export interface StoreWithDatabase extends Store {
  readonly database: Database;
}

// Without a reference, a store and its lock would be collected, and another process could write to the directory while
// this one still believes that it holds it.
const keptOpen = new Set<() => Promise<void>>();

/**
 * Opens a data directory for one process. It stays open until it is closed, even without references. Opening reads no
 * calls. Throws a fault: `conflict` if another process has it open (the fault names the process and its address),
 * `missing` if it is read-only and empty, `corrupt` if it cannot be read; and a TypeError for an unknown option.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { database: _, ...store } = await openWithDatabase(options);
  return store;
}

/** `openStore`, with the database that holds the tables of the other stores. */
export async function openWithDatabase(options: OwnStoreOptions): Promise<StoreWithDatabase> {
  checkMembers("options", options, OPTIONS);
  try {
    return await openOnce(options);
  } catch (error) {
    // A database whose damage was found only during a read is rebuilt from its redo log when it is opened next.
    const isMadeAgain =
      error instanceof Fault && error.code === "corrupt" && isMarkedDamaged(options.directory);
    if (!isMadeAgain || options.readOnly === true) throw error;
    return await openOnce(options);
  }
}

async function openOnce({
  directory,
  readOnly = false,
  databaseMemory = 128,
  tell = () => {},
  onBroken,
  packedFrom,
}: OwnStoreOptions): Promise<StoreWithDatabase> {
  if (!readOnly) makeDirectory(directory);
  if (!existsSync(directory)) throw new Fault("missing", "there is no data directory");
  const opened: (() => unknown)[] = [];
  let closed: Promise<void> | undefined;
  const closeAll = (): Promise<void> => {
    closed ??= closeEach();
    return closed;
  };
  const closeEach = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const close of opened.reverse()) {
      try {
        await close();
      } catch (error) {
        // The lock is released anyway: opening the directory again repairs it.
        failures.push(error);
      }
    }
    keptOpen.delete(closeAll);
    if (failures.length > 0) throw failures[0];
  };
  keptOpen.add(closeAll);
  try {
    opened.push(claimInProcess(directory));
    const { database, identity } = await openRecovered({
      directory,
      readOnly,
      memory: `${databaseMemory}MB`,
      tell,
      repair: false,
      onBroken,
      committed: () => makeFilePrivate(join(directory, `${DATABASE_FILE}.wal`)),
    });
    if (!readOnly) makePrivate(directory);
    const { id, seed } = identity;
    opened.push(() => database.close());
    const note: LockNote | undefined = readOnly ? undefined : writeNote(directory, tell);
    opened.push(() => note?.release());
    const projects = await openProjects(database);
    // Closed after the database, which may still be writing to it.
    const closedLast = <J extends Journal | PackedJournal>(journal: J): J => {
      opened.splice(1, 0, () => journal.close());
      return journal;
    };
    const plain = async (file: RecordFile): Promise<Journal> =>
      closedLast(await openPlainRecords(database, directory, file, readOnly));
    const packing = async (file: RecordFile, packed: RecordFile): Promise<Journal> =>
      packingJournal(
        await plain(file),
        closedLast(await openPackedRecords(database, directory, packed, readOnly)),
        packedFrom,
      );
    const calls = await packing(CALLS_FILE, PACKED_CALLS_FILE);
    const rowTexts = await packing(ROWS_FILE, PACKED_ROWS_FILE);
    const objects = await plain(OBJECTS_FILE);
    const files = await plain(FILES_FILE);
    const { idle, putLines: putCalls, ...writer } = callWriter(database, calls, projects, seed);
    opened.push(idle);
    const callsAndScan = { ...callScan(database, calls, projects, seed), ...writer };
    const { putNew, putLines: putRows, ...rows } = rowStore(database, rowTexts, projects, seed);
    const parts = { database, projects, seed, journal: objects };
    const segments = fileSegments(join(directory, "segments"), { storeId: id, readOnly, tell });
    opened.push(segments.close);
    const listed = evaluations({ database, journal: calls, projects, seed, readOnly });
    opened.push(listed.save);
    const directions = await openScoreDirections({ database, projects });
    return {
      directions,
      calls: { ...callSource(database, calls, projects, seed), ...callsAndScan },
      rows,
      records: { putCalls, putRows },
      traces: {
        calls: callStoreOver(callsAndScan),
        objects: duckdbObjectStore(parts),
        tables: duckdbTableStore(parts, { ...rows, putNew }),
        files: duckdbFileStore({ ...parts, journal: files }),
        feedback: duckdbFeedbackStore(parts),
        costs: duckdbCostStore(parts),
      },
      segments,
      projects: projects.names,
      evaluations: listed.entries,
      countedEvaluations: listed.counted,
      keepCounts: listed.keepCounts,
      announce: (address, secret) => note?.announce(address, secret),
      async hasTables(project) {
        const [found] = await database.columns(
          "SELECT 1 FROM row_tables WHERE project IN (SELECT number FROM projects WHERE name = ?) LIMIT 1",
          [project],
        );
        return found!.length > 0;
      },
      training: trainingStore(database),
      tracking: trackingStore(database),
      artifacts: fileArtifacts(join(directory, ARTIFACTS_FOLDER)),
      openKeys: () => openKeyStore(database),
      openUsage: (options) => openUsageLedger(database, directory, options),
      signingSecret: () => signingSecret(database),
      counts: () => storeCounts(database),
      backup: () => backupFiles({ database, directory, readOnly, id }),
      // After a failed write that invalidated the database, every statement fails, including this one.
      check: async () => void (await database.columns("SELECT 1")),
      database,
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Fault("denied", `the data directory ${path} cannot be created (${reason})`, { cause: error });
  }
}

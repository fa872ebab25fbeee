// Opens a data directory: the lock, the database, the journals, and what is read and written through them.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "@assay/base";
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
import { callScan } from "./call-scan.ts";
import { callWriter } from "./call-writer.ts";
import { callSource } from "./calls.ts";
import type { Database } from "./database.ts";
import { evaluations } from "./evaluations.ts";
import { openKeyStore } from "./inference/keys.ts";
import { openUsageLedger, type UsageLedger, type UsageLedgerOptions } from "./inference/usage.ts";
import type { Journal } from "./journal.ts";
import { claimHere, type LockNote, writeNote } from "./lock.ts";
import { type PackedJournal, packingJournal } from "./packed-journal.ts";
import { makeFilePrivate, makePrivate, PRIVATE_FOLDER } from "./private-files.ts";
import { openProjects } from "./projects.ts";
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
} from "./record-files.ts";
import { isMarked, openRecovered } from "./recovery/open-recovered.ts";
import { rowStore } from "./rows.ts";
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
  /** The data directory; made when it is not there. */
  readonly directory: string;
  /** Only read, beside other readers; writing throws. Default false. */
  readonly readOnly?: boolean;
  /** Megabytes that DuckDB may use beside what the engine holds. Default 128. */
  readonly databaseMemory?: number;
  /** Is told, in a sentence, of each file that was missing or damaged, and what became of it. */
  readonly tell?: (message: string) => void;
  /** Told of each fault after which nothing can be written, or read, until the store is closed and opened again. */
  readonly onBroken?: (fault: Fault) => void;
}

/** An open data directory. */
export interface Store {
  /**
   * Its calls: the engine's source, and how they get there. What is put together is there together or not at all, at
   * once for every reader, and on the disk when the promise resolves. Throws an `overloaded` fault when more is waiting
   * to be written than may be kept in memory.
   */
  readonly calls: CallSource & CallWriter & CallScan;
  /** Its dataset rows, the same: a put is there whole or not at all, and on the disk when the promise resolves. */
  readonly rows: RowSource & RowWriter & RowScan;
  /** The short way in, for calls and rows that this process has put together itself. */
  readonly records: RecordWriter;
  /** What Weave clients log: its calls and rows are those above. */
  readonly traces: TraceStores;
  /** What projects say of their scores. */
  readonly directions: ScoreDirections;
  /** Where the engine keeps the columns it builds. */
  readonly segments: SegmentStore;
  /** The names of the projects that something was logged to or brought into, in no order. */
  projects(): readonly string[];
  /** The evaluations of a project whose root call was logged, by start (unknown last), then id. */
  evaluations(project: string): Promise<readonly EvaluationEntry[]>;
  /**
   * All of them, or those that are chosen, with their rows counted: what is known of those that have not changed is kept
   * from one process to the next.
   */
  countedEvaluations(project: string, choice?: EvaluationChoice): Promise<readonly CountedEvaluation[]>;
  /** Takes what is counted of an evaluation from someone who knows it, if it has this many trials now. */
  keepCounts(project: string, evaluation: CountedEvaluation): Promise<void>;
  /** Tells other processes that this one serves the directory at `address`: see `lockHolder`. */
  announce(address: string, secret?: string): void;
  /** Whether rows of a project were logged as tables, which list them by their digests. */
  hasTables(project: string): Promise<boolean>;
  /** Models, checkpoints, jobs and files of training. */
  readonly training: TrainingStore;
  /** Runs and artifacts as clients of W&B log them. */
  readonly tracking: TrackingStore;
  /** The bytes of checkpoints, of artifacts and of data that was uploaded. */
  readonly artifacts: FileArtifacts;
  /** Reads the API keys. Add or revoke one through the keys that were opened first. */
  openKeys(): Promise<KeyStore>;
  /** Opens the ledger of tokens, once; it is closed before the store is. */
  openUsage(options?: UsageLedgerOptions): Promise<UsageLedger>;
  /** The secret that signs addresses, made when there is none: 32 bytes, which outlive a restart. */
  signingSecret(): Promise<Uint8Array>;
  /**
   * The files of a backup of the directory as it is at one moment, for `writeBackup`: everything but the database and the
   * columns, which are made again. Writing goes on meanwhile. Calls and rows that are in another database are not in it.
   */
  backup(): AsyncIterable<BackupFile>;
  /** How much it holds. */
  counts(): Promise<StoreCounts>;
  /** Rejects with the fault that a question to the database would meet now. */
  check(): Promise<void>;
  /** Waits for what is being written, then gives the directory free. */
  close(): Promise<void>;
}

/** How this package and its tests open a store. */
export interface OwnStoreOptions extends StoreOptions {
  /** Bytes of records that come together from which on they are packed. Default: as `packingJournal` has it. */
  readonly packedFrom?: number | undefined;
}

/** A data directory with its database: only for this package. */
export interface StoreWithDatabase extends Store {
  readonly database: Database;
}

// A store without references would be collected, the directory's lock with it, and another process could write there
// beside one that still believes it has it.
const keptOpen = new Set<() => Promise<void>>();

/**
 * Opens a data directory for one process. It stays open until it is closed, even without references. No call is read to
 * open it. Throws a fault: `conflict` when another process has it (named, with its address), `missing` when read-only
 * and empty, `corrupt` when it cannot be read.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { database: _, ...store } = await openWithDatabase(options);
  return store;
}

/** `openStore`, with the database in which the other stores keep their tables. */
export async function openWithDatabase(options: OwnStoreOptions): Promise<StoreWithDatabase> {
  try {
    return await openOnce(options);
  } catch (error) {
    // A database whose damage showed only when it was read is made again from its redo log when it is opened next.
    const isMadeAgain = error instanceof Fault && error.code === "corrupt" && isMarked(options.directory);
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
  const closeAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const close of opened.reverse().splice(0)) {
      try {
        await close();
      } catch (error) {
        // The lock is released all the same: the next to open the directory has it whole again.
        failures.push(error);
      }
    }
    keptOpen.delete(closeAll);
    if (failures.length > 0) throw failures[0];
  };
  keptOpen.add(closeAll);
  try {
    opened.push(claimHere(directory));
    const { database, identity } = await openRecovered({
      directory,
      readOnly,
      memory: `${databaseMemory}MB`,
      tell,
      mend: false,
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
      // A database that gave itself up after a failed write refuses every statement, this one too.
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
    throw new Fault("denied", "the data directory cannot be created", { cause: error });
  }
}

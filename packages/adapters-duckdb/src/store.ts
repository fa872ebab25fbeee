// Opens a data directory: the lock, the database, the journals, and what is read and written through them.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "@assay/base";
import type { CallScan, CallSource, CallWriter, RowScan, RowSource, RowWriter } from "@assay/calls";
import type { EvaluationEntry, SegmentStore } from "@assay/eval-engine";
import { callStoreOver, type TraceStores } from "@assay/trace-core";
import { callScan } from "./call-scan.ts";
import { callWriter } from "./call-writer.ts";
import { callSource } from "./calls.ts";
import type { Database } from "./database.ts";
import { listEvaluations } from "./evaluations.ts";
import { type Journal, openJournal } from "./journal.ts";
import { claimHere, type LockNote, writeNote } from "./lock.ts";
import { makeFilePrivate, makePrivate, PRIVATE_FOLDER } from "./private-files.ts";
import { openProjects } from "./projects.ts";
import {
  CALLS_FILE,
  FILES_FILE,
  OBJECTS_FILE,
  type RecordFile,
  ROWS_FILE,
  recordsEnd,
} from "./record-files.ts";
import { DATABASE_FILE, openRecovered } from "./recovery/open-recovered.ts";
import { rowStore } from "./rows.ts";
import { fileSegments } from "./segments.ts";
import { duckdbFeedbackStore } from "./trace/feedback-store.ts";
import { duckdbFileStore } from "./trace/file-store.ts";
import { duckdbObjectStore } from "./trace/object-store.ts";
import { duckdbTableStore } from "./trace/table-store.ts";

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
  /** What Weave clients log: its calls and rows are those above. */
  readonly traces: TraceStores;
  /** Where the engine keeps the columns it builds. */
  readonly segments: SegmentStore;
  /** The names of the projects that something was logged to or brought into, in no order. */
  projects(): readonly string[];
  /** The evaluations of a project whose root call was logged, by start (unknown last), then id. */
  evaluations(project: string): Promise<readonly EvaluationEntry[]>;
  /** Tells other processes that this one serves the directory at `address`: see `lockHolder`. */
  announce(address: string, secret?: string): void;
  /** For the other stores that keep their tables in the same file. */
  readonly database: Database;
  /** Waits for what is being written, then gives the directory free. */
  close(): Promise<void>;
}

// A store that nobody refers to would be collected, the directory's lock with it, and another process could write there
// beside one that still believes it has it.
const keptOpen = new Set<() => Promise<void>>();

/**
 * Opens a data directory for one process. It stays open until it is closed, whoever still refers to it. No call is read to open it. Throws a fault: `conflict` when another process
 * has it (named, with its address), `missing` when read-only and empty, `corrupt` when it cannot be read.
 */
export async function openStore({
  directory,
  readOnly = false,
  databaseMemory = 128,
  tell = () => {},
}: StoreOptions): Promise<Store> {
  if (!readOnly) makeDirectory(directory);
  if (!existsSync(directory)) throw new Fault("missing", "there is no data directory");
  const opened: (() => unknown)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of opened.reverse().splice(0)) await close();
    keptOpen.delete(closeAll);
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
      committed: () => makeFilePrivate(join(directory, `${DATABASE_FILE}.wal`)),
    });
    if (!readOnly) makePrivate(directory);
    const { id, seed } = identity;
    opened.push(() => database.close());
    const note: LockNote | undefined = readOnly ? undefined : writeNote(directory);
    opened.push(() => note?.release());
    const projects = await openProjects(database);
    const journal = async (file: RecordFile): Promise<Journal> => {
      const end = await recordsEnd(database, file);
      const journal = await openJournal(join(directory, file.name), end, readOnly);
      // Closed after the database, which may still be writing to it.
      opened.splice(1, 0, () => journal.close());
      return journal;
    };
    const calls = await journal(CALLS_FILE);
    const rowTexts = await journal(ROWS_FILE);
    const objects = await journal(OBJECTS_FILE);
    const files = await journal(FILES_FILE);
    const { idle, ...writer } = callWriter(database, calls, projects, seed);
    opened.push(idle);
    const callsAndScan = { ...callScan(database, calls, projects, seed), ...writer };
    const { putNew, ...rows } = rowStore(database, rowTexts, projects, seed);
    const parts = { database, projects, seed, journal: objects };
    const segments = fileSegments(join(directory, "segments"), id, readOnly);
    opened.push(segments.close);
    return {
      calls: { ...callSource(database, calls, projects, seed), ...callsAndScan },
      rows,
      traces: {
        calls: callStoreOver(callsAndScan),
        objects: duckdbObjectStore(parts),
        tables: duckdbTableStore(parts, { ...rows, putNew }),
        files: duckdbFileStore({ ...parts, journal: files }),
        feedback: duckdbFeedbackStore(parts),
      },
      segments,
      projects: projects.names,
      evaluations: (project) => listEvaluations(database, calls, projects, seed, project),
      announce: (address, secret) => note?.announce(address, secret),
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
    throw new Fault("denied", "the data directory cannot be made", { cause: error });
  }
}

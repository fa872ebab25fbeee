// The data of a server: its stores, and operations over them.

import type { Store } from "@assay/adapters-duckdb";
import type { FileArtifacts, StoreCounts, UsageLedger } from "@assay/adapters-duckdb/internal";
import type { ArchivedFile } from "@assay/adapters-http";
import type { ProjectList, RemovalReport, RemovedData } from "@assay/adapters-http/internal";
import type { Fault } from "@assay/base";
import type { Members } from "@assay/base/internal";
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
  EvalExecution,
  EvalStatistics,
  EvaluationChoice,
  EvaluationEntry,
  EvalViews,
  ScoreDirections,
  SegmentStore,
} from "@assay/eval-engine";
import type { KeyStore } from "@assay/inference-core";
import type { TraceStores } from "@assay/trace-core";
import type { TrackingStore } from "@assay/tracking-core";
import type { ArtifactStore, TrainingStore } from "@assay/training-core";
import type { DataAccess } from "./data-access.ts";

/** The stores of a server. Each implements a port of a core package and must pass its laws. */
export interface ServerStores {
  /** The calls of evaluations and traces. */
  readonly calls: CallSource & CallWriter & CallScan;
  /** Dataset rows. */
  readonly rows: RowSource & RowWriter & RowScan;
  /**
   * Writes calls and rows that this process built itself, without printing and parsing them. Absent: they are written
   * as lines.
   */
  readonly records?: RecordWriter;
  /** Data of Weave clients. Their calls and rows are in `calls` and `rows`. */
  readonly traces: TraceStores;
  /** The directions that projects set for their scores. Absent: none can be set. */
  readonly directions?: ScoreDirections;
  /** Where the engine saves its columns. Absent: they are only in memory. */
  readonly segments?: SegmentStore;
  /** The names of all projects with logged data, in no particular order. */
  projects(): readonly string[];
  /** The evaluations of a project with a logged root call, by start (unknown last), then ID. */
  evaluations(project: string): Promise<readonly EvaluationEntry[]>;
  /** All or some of these evaluations, with their rows counted. Absent: the engine counts them. */
  countedEvaluations?(project: string, choice?: EvaluationChoice): Promise<readonly CountedEvaluation[]>;
  /** Stores known counts of an evaluation, if it still has this many trials. Absent: rows are always counted. */
  keepCounts?(project: string, evaluation: CountedEvaluation): Promise<void>;
  /** Training models, checkpoints, jobs and files. */
  readonly training: TrainingStore;
  /** Runs and artifacts that W&B clients logged. */
  readonly tracking: TrackingStore;
  /** The bytes of checkpoints, artifacts and uploaded data; swept and checked if the store can do so. */
  readonly artifacts: ArtifactStore & Partial<Pick<FileArtifacts, "check" | "sweep">>;
  /** The API keys. */
  openKeys(): Promise<KeyStore>;
  /** Opens the ledger of token usage. `onDamage` is called with records that cannot be read back. */
  openUsage(options: { readonly onDamage: (message: string) => void }): Promise<UsageLedger>;
  /** The secret that signs addresses: 32 bytes. */
  signingSecret(): Promise<Uint8Array>;
  /** The sizes of the stores, for metrics. Absent: not reported. */
  counts?(): Promise<StoreCounts>;
  /** The files of a consistent backup, `backup.json` last. Absent: back up these stores by other means. */
  backup?(): AsyncIterable<ArchivedFile>;
  /** Rejects with the fault that a query would cause now, for `GET /v1/health/ready`. Absent: always ready. */
  check?(): Promise<void>;
  /** Waits for pending writes, then closes the stores. */
  close?(): Promise<void>;
}

/** Open data that commands query and servers serve. */
export interface ServerData extends DataAccess, ProjectList {
  /** Answers evaluation queries, statistics questions and the views of the page. */
  readonly engine: EvalExecution & EvalStatistics & EvalViews;
  /** The calls of its evaluations. */
  readonly calls: CallSource;
  /** Stores for the data of Weave clients. */
  readonly traces: TraceStores;
  /** The underlying stores. */
  readonly stores: ServerStores;
  /** The evaluations of a project, by start, with the data that is known without reading their rows. */
  entries(project: string): Promise<readonly EvaluationEntry[]>;
  /** Deletes data from a separate database; absent if all data is in these stores. */
  readonly remove?: (what: RemovedData) => Promise<RemovalReport>;
  /**
   * Builds and saves data for the first query of these evaluations: their columns, and their entries in lists. It also
   * loads the modules that answer queries. Absent: nothing is saved.
   */
  openAhead?(
    project: string,
    evaluations: readonly EvaluationEntry[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<void>;
  /** Tells other processes that this one serves the data at `address` and can prove that it knows `secret`. */
  announce?(address: string, secret: string): void;
  /** Calls `act` for each fault after which the data must be closed and reopened. */
  whenBroken?(act: (fault: Fault) => void): void;
}

/** How to open a data directory. */
export interface DirectoryOptions {
  /** Called with a sentence about each missing or damaged file, and how it was repaired. Default: ignored. */
  readonly tell?: ((message: string) => void) | undefined;
  /**
   * The address of a ClickHouse database (`clickhouse://host:8123/database`) for calls and rows; everything else stays
   * in the directory. Default: everything is in the directory.
   */
  readonly evaluations?: string | undefined;
  /** Whether to open the directory read-only if it is not writable. Default false. */
  readonly orForReading?: boolean | undefined;
  /** Megabytes that DuckDB may use. Default 128. */
  readonly databaseMemory?: number | undefined;
}

/** The kinds of the options. */
export const DIRECTORY_OPTIONS: Members<DirectoryOptions> = {
  ...{ tell: "function?", evaluations: "text?", orForReading: "boolean?", databaseMemory: "number?" },
};

/** An open data directory. */
export interface DataDirectory extends ServerData {
  /** Its path. */
  readonly path: string;
  /** The options it was opened with. */
  readonly options: DirectoryOptions;
  /** Its stores. */
  readonly stores: Store;
}

// What a server serves: its stores, and the operations over them.

import type { Store } from "@assay/adapters-duckdb";
import type { FileArtifacts, StoreCounts, UsageLedger } from "@assay/adapters-duckdb/internal";
import type { ArchivedFile } from "@assay/adapters-http";
import type { ProjectList, RemovalReport, RemovedData } from "@assay/adapters-http/internal";
import type { Fault } from "@assay/base";
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

/** Where a server keeps everything: each a port of a core package, with laws there that it must hold to. */
export interface ServerStores {
  /** The calls of evaluations and traces. */
  readonly calls: CallSource & CallWriter & CallScan;
  /** Dataset rows. */
  readonly rows: RowSource & RowWriter & RowScan;
  /** The short way in, for calls and rows that this process has put together itself. Absent: there is none. */
  readonly records?: RecordWriter;
  /** What Weave clients log: its calls and rows are those above. */
  readonly traces: TraceStores;
  /** What projects say of their scores. Absent: nothing can be said. */
  readonly directions?: ScoreDirections;
  /** Where the engine keeps the columns it builds. Absent: only in memory. */
  readonly segments?: SegmentStore;
  /** The names of the projects that something was logged to, in no order. */
  projects(): readonly string[];
  /** The evaluations of a project whose root call was logged, by start (unknown last), then id. */
  evaluations(project: string): Promise<readonly EvaluationEntry[]>;
  /** The same, all of them or those that are chosen, with their rows counted. Absent: the engine counts them. */
  countedEvaluations?(project: string, choice?: EvaluationChoice): Promise<readonly CountedEvaluation[]>;
  /** Takes what is counted of an evaluation from someone who knows it, if it has this many trials now. Absent: it is counted. */
  keepCounts?(project: string, evaluation: CountedEvaluation): Promise<void>;
  /** Models, checkpoints, jobs and files of training. */
  readonly training: TrainingStore;
  /** Runs and artifacts as clients of W&B log them. */
  readonly tracking: TrackingStore;
  /** The bytes of checkpoints, of artifacts and of data that was uploaded; where it can, it is swept and checked. */
  readonly artifacts: ArtifactStore & Partial<Pick<FileArtifacts, "check" | "sweep">>;
  /** The API keys. */
  openKeys(): Promise<KeyStore>;
  /** The ledger of tokens. `onDamage` is told of records that cannot be read back. */
  openUsage(options: { readonly onDamage: (message: string) => void }): Promise<UsageLedger>;
  /** The secret that signs addresses: 32 bytes. */
  signingSecret(): Promise<Uint8Array>;
  /** How much is in them, for metrics. Absent: it is not said. */
  counts?(): Promise<StoreCounts>;
  /** The files of a backup of everything at one moment, `backup.json` last. Absent: they are backed up in another way. */
  backup?(): AsyncIterable<ArchivedFile>;
  /** Rejects with the fault that a question would meet now: what `GET /v1/health/ready` says. Absent: none. */
  check?(): Promise<void>;
  /** Waits for what is being written, and lets go. */
  close?(): Promise<void>;
}

/** Data that is open: what commands ask of it, and what a server is made of. */
export interface ServerData extends DataAccess, ProjectList {
  /** What answers evaluation queries, questions of statistics and those of a page. */
  readonly engine: EvalExecution & EvalStatistics & EvalViews;
  /** The calls of the evaluations that it answers about. */
  readonly calls: CallSource;
  /** Where what Weave clients log goes. */
  readonly traces: TraceStores;
  /** The stores beneath. */
  readonly stores: ServerStores;
  /** The evaluations of a project, by start, as far as they are known without looking at their rows. */
  entries(project: string): Promise<readonly EvaluationEntry[]>;
  /** Deletes what is not in these stores but in a database of its own; absent when everything is in them. */
  readonly remove?: (what: RemovedData) => Promise<RemovalReport>;
  /**
   * Makes and saves what the first question about evaluations would: their columns, and what a list shows of them. Loads
   * what answers are made with. Absent: nothing is saved.
   */
  openAhead?(
    project: string,
    evaluations: readonly EvaluationEntry[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<void>;
  /** Tells other processes that this one serves the data at `address`, and can prove that it knows `secret`. */
  announce?(address: string, secret: string): void;
  /** Has `act` called, from now on, for each fault after which the data must be closed and opened again. */
  whenBroken?(act: (fault: Fault) => void): void;
}

/** How to open a data directory. */
export interface DirectoryOptions {
  /** Called, with a sentence, for each file that was missing or damaged, and what was done. Default: ignored. */
  readonly tell?: ((message: string) => void) | undefined;
  /**
   * The address of a ClickHouse database (`clickhouse://host:8123/database`) that holds calls and rows. Everything else is
   * in the directory. Default: all of it is.
   */
  readonly evaluations?: string | undefined;
  /** Whether it is also opened where nothing can be written, for reading only. Default false. */
  readonly orForReading?: boolean | undefined;
}

/** A data directory that is open. */
export interface DataDirectory extends ServerData {
  /** Its path. */
  readonly path: string;
  /** What it was opened with. */
  readonly options: DirectoryOptions;
  /** The stores in it. */
  readonly stores: Store;
}

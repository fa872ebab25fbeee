// The data that a command works on: a data directory that it opens itself, or a server that has it open already.

import type { ProjectData } from "@assay/adapters-http";
import type { Result } from "@assay/base";
import type { RecordWriter } from "@assay/calls";
import type { EvalResults } from "@assay/eval-engine";
import type { StatisticsAnswers, StatisticsQuestion, WrittenTrial } from "@assay/eval-engine/internal";
import type { ListedProject } from "./listed-projects.ts";

/** An evaluation that was just written. */
export interface WrittenEvaluation {
  /** The id of its root call. */
  readonly id: string;
  /** How many trials it has. */
  readonly trials: number;
  /** Of how many rows. */
  readonly rows: number;
  /** The reference of its dataset. */
  readonly dataset: string;
  /** What stands before the digest in references to its rows. */
  readonly references: string;
  /** Its trials in the order in which they were written; absent when no reader waits for their columns. */
  readonly written?: (() => AsyncIterable<readonly WrittenTrial[]>) | undefined;
}

/** What commands ask of the data, wherever it is. Throws a `Fault` when the storage or the server fails. */
export interface DataAccess extends ProjectData {
  /** Where it is, for a person: a directory or an address. */
  readonly where: string;
  /** Its projects, by name. */
  listProjects(): Promise<readonly ListedProject[]>;
  /** Answers a query; the paths of issues begin with `body`. */
  query(project: string, body: unknown): Promise<Result<EvalResults>>;
  /** Answers a question of statistics; the paths of issues begin with `body`. */
  statistics<Question extends StatisticsQuestion>(
    question: Question,
    project: string,
    body: unknown,
  ): Promise<Result<StatisticsAnswers[Question]>>;
  /**
   * Saves what lists and queries read of evaluations that were just written and are still in memory, when they have
   * no other trials. There must be no other writer meanwhile. Absent when it is computed on demand.
   */
  saveWritten?(project: string, evaluations: readonly WrittenEvaluation[]): Promise<void>;
  /** The short way in for calls and rows that this process has put together itself. Absent: they go in as lines. */
  readonly records?: RecordWriter;
  /** Lets go of the data. */
  close(): Promise<void>;
}

// The data that a command works on: a data directory that it opens, or a server that already has it open.

import type { ProjectData } from "@assay/adapters-http";
import type { Result } from "@assay/base";
import type { RecordWriter, WrittenTrials } from "@assay/calls";
import type { EvalResults } from "@assay/eval-engine";
import type { StatisticsAnswers, StatisticsQuestion } from "@assay/eval-engine/internal";
import type { ListedProject } from "./listed-projects.ts";

/** An evaluation that was just written. */
export interface WrittenEvaluation {
  /** The ID of its root call. */
  readonly id: string;
  /** The number of its trials. */
  readonly trials: number;
  /** The number of its rows. */
  readonly rows: number;
  /** The reference of its dataset. */
  readonly dataset: string;
  /** All its trials; absent if no reader waits for their columns. */
  readonly written?: (() => WrittenTrials) | undefined;
}

/**
 * How commands access the data, whether local or on a server. Throws a `Fault` when the storage or the server fails.
 */
export interface DataAccess extends ProjectData {
  /** Its location as shown to people: a directory or an address. */
  readonly where: string;
  /** Its projects, by name. */
  listProjects(): Promise<readonly ListedProject[]>;
  /** Answers a query. Paths of issues start with `body`. */
  query(project: string, body: unknown): Promise<Result<EvalResults>>;
  /** Answers a statistics question. Paths of issues start with `body`. */
  statistics<Question extends StatisticsQuestion>(
    question: Question,
    project: string,
    body: unknown,
  ): Promise<Result<StatisticsAnswers[Question]>>;
  /**
   * Saves the columns and counts of evaluations that were just written and are still in memory, if they have no other
   * trials. No one else may write meanwhile. Absent if that is computed on demand.
   */
  saveWritten?(project: string, evaluations: readonly WrittenEvaluation[]): Promise<void>;
  /**
   * Writes calls and rows that this process built itself, without printing and parsing them. Absent: they are written
   * as lines.
   */
  readonly records?: RecordWriter;
  /** Releases the data. */
  close(): Promise<void>;
}

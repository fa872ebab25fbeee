// The data that a command works on: a data directory that it opens itself, or a server that has it open already.

import type { ProjectData } from "@assay/adapters-http";
import type { Result } from "@assay/base";
import type { EvalResults } from "@assay/eval-engine";
import type { StatisticsAnswers, StatisticsQuestion } from "@assay/eval-engine/internal";
import type { ListedProject } from "./listed-projects.ts";

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
  /** Lets go of the data. */
  close(): Promise<void>;
}

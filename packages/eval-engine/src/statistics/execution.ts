import type { Cancellation, Result } from "@assay/base";
import type { StatisticsAnswers, StatisticsQuestion } from "./statistics.ts";

/** What answers the questions of statistics over the rows of a query: `createEvalEngine` makes one. */
export interface EvalStatistics {
  /**
   * Answers a question about a project, `<entity>/<project>`. Errors in the body are returned, with paths that begin
   * with `body`. Throws a `Fault` when a source fails, `cancelled` when `signal` is aborted.
   */
  answerStatistics<Question extends StatisticsQuestion>(
    question: Question,
    project: string,
    body: unknown,
    options?: { readonly signal?: Cancellation },
  ): Promise<Result<StatisticsAnswers[Question]>>;
}

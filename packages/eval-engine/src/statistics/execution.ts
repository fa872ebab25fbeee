import type { Cancellation, Result } from "@assay/base";
import type { StatisticsAnswers, StatisticsQuestion } from "./statistics.ts";

/** Answers statistics questions about the rows of a query, as `createEvalEngine` does. */
export interface EvalStatistics {
  /**
   * Answers a question about a project, `<entity>/<project>`. Returns the issues of the body, with paths that start
   * with `body`. Throws a `Fault` if a source fails, `cancelled` if `signal` is aborted.
   */
  answerStatistics<Question extends StatisticsQuestion>(
    question: Question,
    project: string,
    body: unknown,
    options?: { readonly signal?: Cancellation },
  ): Promise<Result<StatisticsAnswers[Question]>>;
}

import type { Cancellation, Result } from "@assay/base";
import type { StatisticsAnswers, StatisticsQuestion } from "./statistics.ts";

/** What answers the questions of statistics over the rows of a query: `createEvalEngine` makes one. */
export interface EvalStatistics {
  /**
   * Answers a question about a project, `<entity>/<project>`. What is wrong with the body is returned, its paths beginning
   * with `body`. Throws a `Fault` when a source fails, `cancelled` when `signal` says that nobody wants the answer any
   * more.
   */
  answerStatistics<Question extends StatisticsQuestion>(
    question: Question,
    project: string,
    body: unknown,
    options?: { readonly signal?: Cancellation },
  ): Promise<Result<StatisticsAnswers[Question]>>;
}

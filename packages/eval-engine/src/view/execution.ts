import type { Cancellation, Result } from "@assay/base";
import type { ViewAnswers } from "./view.ts";
import type { ViewQuestion } from "./wire/body.ts";

/** Answers the questions of a page about the rows of a query, as `createEvalEngine` does. */
export interface EvalViews {
  /**
   * Answers a question about a project, `<entity>/<project>`: rows with previews (`page`), groups of rows, each with
   * the filter that selects it (`groups`), or the available fields (`fields`). Returns the issues of the body, with
   * paths that start with `body`. Throws a `Fault` if a source fails, `cancelled` if `signal` is aborted.
   */
  answerView<Question extends ViewQuestion>(
    question: Question,
    project: string,
    body: unknown,
    options?: { readonly signal?: Cancellation },
  ): Promise<Result<ViewAnswers[Question]>>;
}

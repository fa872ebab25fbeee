import type { Cancellation, Result } from "@assay/base";
import type { ViewQuestion } from "./body.ts";
import type { ViewAnswers } from "./view.ts";

/** What answers the questions of a page about the rows of a query: `createEvalEngine` makes one. */
export interface EvalViews {
  /**
   * Answers a question about a project, `<entity>/<project>`: rows with previews (`page`), groups of rows, each with
   * the filter that selects it (`groups`), or the available fields (`fields`). Errors in the body are returned, with
   * paths that begin with `body`. Throws a `Fault` when a source fails, `cancelled` when `signal` is aborted.
   */
  answerView<Question extends ViewQuestion>(
    question: Question,
    project: string,
    body: unknown,
    options?: { readonly signal?: Cancellation },
  ): Promise<Result<ViewAnswers[Question]>>;
}

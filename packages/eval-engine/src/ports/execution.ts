import type { Cancellation, Result } from "@assay/base";
import type { EvalResults, EvalResultsInParts } from "../query/response.ts";

/**
 * Answers evaluation queries: `createEvalEngine` over columns, `pushedExecution` in a database. All executions give
 * the same answers, byte for byte.
 */
export interface EvalExecution {
  /**
   * Answers a query about a project, `<entity>/<project>`. Returns the issues of the body, as `readRequest` reports
   * them, before it uses any source. Throws a `Fault` if a source fails, `cancelled` if `signal` is aborted.
   */
  answer(
    project: string,
    body: unknown,
    options?: { readonly signal?: Cancellation },
  ): Promise<Result<EvalResults>>;

  /** Like `answer`, with rows built as they are read. Absent: answers are only available as a whole. */
  readonly answerInParts?: (
    project: string,
    body: unknown,
    options?: { readonly signal?: Cancellation },
  ) => Promise<Result<EvalResultsInParts>>;
}

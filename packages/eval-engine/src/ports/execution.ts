import type { Cancellation, Result } from "@assay/base";
import type { EvalResults, EvalResultsInParts } from "../query/response.ts";

/**
 * What answers evaluation queries: a body in, a response out. The engine's columns are one (`createEvalEngine`), a
 * database that the query is pushed down to is another (`pushedExecution`). All give the same answers, byte for byte.
 */
export interface EvalExecution {
  /**
   * Answers a query about a project, `<entity>/<project>`. What is wrong with the body is returned, as `readRequest`
   * says it, and then nothing was asked of any source. Throws a `Fault` when a source fails, `cancelled` when
   * `signal` says that nobody wants the answer any more.
   */
  answer(
    project: string,
    body: unknown,
    options?: { readonly signal?: Cancellation },
  ): Promise<Result<EvalResults>>;

  /** The same with rows that are written out as they are taken. An execution without it gives answers whole. */
  readonly answerInParts?: (
    project: string,
    body: unknown,
    options?: { readonly signal?: Cancellation },
  ) => Promise<Result<EvalResultsInParts>>;
}

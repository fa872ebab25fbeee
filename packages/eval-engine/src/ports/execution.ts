import type { Cancellation, Result } from "@assay/base";
import type { EvalResults, EvalResultsInParts } from "../query/response.ts";

/**
 * What answers evaluation queries: a body in, a response out. The engine's columns are one (`createEvalEngine`), a
 * database that the query is pushed down to is another (`pushedExecution`). All give the same answers, byte for byte.
 */
export interface EvalExecution {
  /**
   * Answers a query about a project, `<entity>/<project>`. Errors in the body are returned, as `readRequest` reports
   * them, before any source is asked. Throws a `Fault` when a source fails, `cancelled` when `signal` is aborted.
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

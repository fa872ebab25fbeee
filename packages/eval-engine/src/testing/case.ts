// A case of a property that compares an execution of queries with the engine's specification.

import type { Call, DatasetRow } from "@assay/calls";
import type { EvalResultsQueryBody } from "../query/request.ts";

/** A project with queries. */
export interface Case {
  /** The logged calls, with only the members that matter. */
  readonly calls: readonly (Partial<Call> & { readonly id: string })[];
  /** The dataset's rows that the calls refer to. */
  readonly rows: readonly DatasetRow[];
  /** Bodies of queries, each answered by both. */
  readonly requests: readonly EvalResultsQueryBody[];
  /** The number of calls in each step of their arrival. Default: all in one step. */
  readonly cuts?: readonly number[];
}

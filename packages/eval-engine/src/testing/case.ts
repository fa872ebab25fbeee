// A case of a property that holds an execution of queries against the engine's specification.

import type { Call, DatasetRow } from "@assay/calls";
import type { EvalResultsQueryBody } from "../query/request.ts";

/** A project and what is asked of it. */
export interface Case {
  /** The logged calls; of a call, only the members that matter. */
  readonly calls: readonly (Partial<Call> & { readonly id: string })[];
  /** The dataset's rows that the calls refer to. */
  readonly rows: readonly DatasetRow[];
  /** Bodies of the query, each answered by both. */
  readonly requests: readonly EvalResultsQueryBody[];
  /** In how many steps the calls arrive: the number of calls in each. All at once when not given. */
  readonly cuts?: readonly number[];
}

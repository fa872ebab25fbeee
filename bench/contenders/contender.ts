// A participant in a comparison.

import type { Answer } from "../answer.ts";
import type { Workload } from "../workloads.ts";

/** One way to answer the workloads about a data set that it has loaded. */
export interface Contender {
  readonly name: string;
  /** Answers the request of `workload` in `turn` completely, down to values in this process. */
  readonly answer: (workload: Workload, turn: number) => Promise<Answer>;
  /** The workloads that it supports. */
  readonly workloads: readonly Workload[];
  close(): Promise<void>;
}

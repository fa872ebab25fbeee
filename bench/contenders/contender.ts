// What takes part in a comparison.

import type { Answer } from "../answer.ts";
import type { Workload } from "../workloads.ts";

/** One way to answer the workloads about a data set that it has loaded. */
export interface Contender {
  readonly name: string;
  /** Does all the work of answering what `workload` asks in `turn`, down to values in this process. */
  readonly answer: (workload: Workload, turn: number) => Promise<Answer>;
  /** Which workloads it takes part in. */
  readonly workloads: readonly Workload[];
  close(): Promise<void>;
}

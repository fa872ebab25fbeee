import type { CallStore } from "./call-store.ts";
import type { CostStore } from "./cost-store.ts";
import type { FeedbackStore } from "./feedback-store.ts";
import type { FileStore } from "./file-store.ts";
import type { ObjectStore } from "./object-store.ts";
import type { TableStore } from "./table-store.ts";

/** All stores of what clients log. */
export interface TraceStores {
  /** Calls. */
  readonly calls: CallStore;
  /** Versions of objects. */
  readonly objects: ObjectStore;
  /** Tables and their rows. */
  readonly tables: TableStore;
  /** Files. */
  readonly files: FileStore;
  /** Feedback. */
  readonly feedback: FeedbackStore;
  /** Token costs. */
  readonly costs: CostStore;
}

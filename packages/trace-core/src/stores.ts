import type { CallStore } from "./ports/call-store.ts";
import type { CostStore } from "./ports/cost-store.ts";
import type { FeedbackStore } from "./ports/feedback-store.ts";
import type { FileStore } from "./ports/file-store.ts";
import type { ObjectStore } from "./ports/object-store.ts";
import type { TableStore } from "./ports/table-store.ts";

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

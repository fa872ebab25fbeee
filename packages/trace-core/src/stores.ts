import type { CallStore } from "./ports/call-store.ts";
import type { CostStore } from "./ports/cost-store.ts";
import type { FeedbackStore } from "./ports/feedback-store.ts";
import type { FileStore } from "./ports/file-store.ts";
import type { ObjectStore } from "./ports/object-store.ts";
import type { TableStore } from "./ports/table-store.ts";

/** Everything that what clients log is kept in. */
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
  /** What tokens cost. */
  readonly costs: CostStore;
}

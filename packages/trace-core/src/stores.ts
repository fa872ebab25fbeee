import type { CallStore } from "./ports/call-store.ts";
import type { FeedbackStore } from "./ports/feedback-store.ts";
import type { FileStore } from "./ports/file-store.ts";
import type { ObjectStore } from "./ports/object-store.ts";
import type { TableStore } from "./ports/table-store.ts";

/** Everything that what clients log is kept in. */
export interface TraceStores {
  readonly calls: CallStore;
  readonly objects: ObjectStore;
  readonly tables: TableStore;
  readonly files: FileStore;
  readonly feedback: FeedbackStore;
}

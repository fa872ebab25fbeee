// The usage ledger: where it is written what was used and by whom, and where reports about it come from.

import type { UsageQuery, UsageRecord, UsageRow } from "../usage.ts";

/** Where usage is written. When the storage fails, it throws a `Fault`. Laws: `usageLaws`. */
export interface UsageSink {
  /** Keeps a record, for good, when it resolves. A record whose id is there already changes nothing. */
  record(record: UsageRecord): Promise<void>;
}

/** Where usage is read. When the storage fails, it throws a `Fault`. Laws: `usageLaws`. */
export interface UsageSource {
  /** What `reportUsage` makes of all records for `query`, in its order. */
  report(query: UsageQuery): Promise<readonly UsageRow[]>;
  /** How many records the storage has lost since there is a ledger: no report has them. Default 0. */
  readonly lost?: number;
}

// The usage ledger: records who used what, and reports on it.

import type { UsageQuery, UsageRecord, UsageRow } from "./usage.ts";

/** Where usage is written. Throws a `Fault` when the storage fails. Laws: `usageLaws`. */
export interface UsageSink {
  /** Stores a record durably. A record whose ID exists already changes nothing. */
  record(record: UsageRecord): Promise<void>;
}

/** Where usage is read. Throws a `Fault` when the storage fails. Laws: `usageLaws`. */
export interface UsageSource {
  /** The result of `reportUsage` over all records for `query`, in its order. */
  report(query: UsageQuery): Promise<readonly UsageRow[]>;
  /** How many records the storage has ever lost: they are in no report. Default 0. */
  readonly lost?: number;
}

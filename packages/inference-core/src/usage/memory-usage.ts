// Usage in memory. For tests, examples and single-process use; a restart loses it.

import { reportUsage, type UsageRecord } from "./usage.ts";
import type { UsageSink, UsageSource } from "./usage-ledger.ts";

/** A ledger that keeps its records in memory. `records` has all of them, in order of arrival. */
export function memoryUsage(): UsageSink & UsageSource & { readonly records: () => readonly UsageRecord[] } {
  const records = new Map<string, UsageRecord>();

  return {
    async record(record) {
      if (!records.has(record.id)) records.set(record.id, record);
    },
    async report(query) {
      return reportUsage(records.values(), query);
    },
    records: () => [...records.values()],
  };
}

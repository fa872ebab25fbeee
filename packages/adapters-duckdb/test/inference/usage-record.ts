// Usage records for tests.

import type { UsageRecord } from "@assay/inference-core";

/** A distinct record for each number. */
export function usageRecord(number: number): UsageRecord {
  return {
    id: `chatcmpl-${number}`,
    at: 1_700_000_000_000 + number,
    entity: "team",
    project: "demo",
    key: "k1",
    user: null,
    model: "org/model",
    step: null,
    streamed: number % 2 === 0,
    outcome: "complete",
    promptTokens: 10,
    generatedTokens: 5,
    deliveredTokens: 5,
    counted: "engine",
  };
}

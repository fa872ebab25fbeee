// The summary of an evaluation run's scores when it ends, in the format of Weave's clients.

import type { Json, JsonObject } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";

/** Means that are updated trial by trial. */
export interface ScoreSummary {
  /** Adds the scores of a trial's output. */
  add(output: Json): void;
  /** The mean of each score; for booleans, the count and fraction of true values. */
  summary(): JsonObject;
}

/** A summary without trials. */
export function scoreSummary(): ScoreSummary {
  const numbers = new Map<string, { count: number; sum: number }>();
  const booleans = new Map<string, { count: number; sum: number }>();
  const count = (of: typeof numbers, name: string, value: number) => {
    const known = of.get(name) ?? { count: 0, sum: 0 };
    of.set(name, { count: known.count + 1, sum: known.sum + value });
  };
  return {
    add(output) {
      const scores = isJsonObject(output) && isJsonObject(output["scores"]) ? output["scores"] : {};
      for (const [name, value] of Object.entries(scores)) {
        if (typeof value === "number") count(numbers, name, value);
        else if (typeof value === "boolean") count(booleans, name, Number(value));
      }
    },
    summary() {
      const means = Array.from(numbers, ([name, { count, sum }]) => [name, { mean: sum / count }] as const);
      const rates = Array.from(
        booleans,
        ([name, { count, sum }]) => [name, { true_count: sum, true_fraction: sum / count }] as const,
      );
      return Object.fromEntries([...means, ...rates]);
    },
  };
}

// Chooses the token cost that applies to a call.

import { microseconds } from "@assay/calls";
import type { TokenCost } from "../ports/cost-store.ts";

/** The token costs of a model at a time. */
export type CostAt = (model: string, time: string | null) => TokenCost | undefined;

/**
 * Of a model's costs, the one that took effect last; if none had taken effect yet, the first that will. Of two with
 * the same time, the one added last.
 */
export function costChoice(costs: readonly TokenCost[]): CostAt {
  const byModel = new Map<string, TokenCost[]>();
  const from = (cost: TokenCost): number => microseconds(cost.effective_date);
  for (const cost of costs.toSorted((a, b) => from(a) - from(b))) {
    const some = byModel.get(cost.llm_id);
    if (some === undefined) byModel.set(cost.llm_id, [cost]);
    else some.push(cost);
  }
  return (model, time) => {
    const some = byModel.get(model) ?? [];
    const at = microseconds(time);
    return (
      some.findLast((cost) => from(cost) <= at) ?? some.findLast((cost) => from(cost) === from(some[0]!))
    );
  };
}

// Which of the costs of a project holds for a call.

import { microseconds } from "@assay/calls";
import type { TokenCost } from "./ports/cost-store.ts";

/** What the tokens of a model cost at a time. */
export type CostAt = (model: string, time: string | null) => TokenCost | undefined;

/**
 * Of the costs of a model, the one that had been in effect for the shortest time; when none had come into effect yet,
 * the first that did. Of two of one time, the one that was added last.
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

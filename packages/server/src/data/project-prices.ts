// The token prices of a project: its own, otherwise the server's.

import type { PriceAt } from "@assay/adapters-http/internal";
import type { Prices } from "@assay/inference-core";
import { type Price, perToken } from "@assay/inference-core/internal";
import type { CostStore, TokenCost } from "@assay/trace-core";
import { costChoice } from "@assay/trace-core/store-parts";

/** A project's own token prices; undefined if it sets none. */
export async function projectPrices(
  costs: CostStore | undefined,
  prices: Prices | undefined,
  project: string,
): Promise<PriceAt | undefined> {
  const stored = costs === undefined ? [] : await costs.all(project);
  if (stored.length === 0 && (prices === undefined || prices.size === 0)) return undefined;
  const own = costChoice(stored);
  return (model, time) => {
    const cost = own(model, time);
    const price = cost === undefined ? prices?.get(model) : priceOf(cost);
    return price && { price, said: cost };
  };
}

/** Clients without prices for cached tokens send 0; cached tokens then cost as much as others. */
function priceOf(cost: TokenCost): Price {
  return {
    input: perToken(cost.prompt_token_cost),
    output: perToken(cost.completion_token_cost),
    cachedInput: perToken(cost.cache_read_input_token_cost || cost.prompt_token_cost),
    cacheWrite: perToken(cost.cache_creation_input_token_cost || cost.prompt_token_cost),
  };
}

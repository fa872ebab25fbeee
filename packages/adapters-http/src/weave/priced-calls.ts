// The costs of calls by model, under `summary.weave.costs`.

import type { Json, JsonObject } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import { inDollars, type Price, pricedParts } from "@assay/inference-core/internal";
import type { TokenCost } from "@assay/trace-core";
import { withDerivedMembers } from "@assay/trace-core/internal";

/** The price that a call is charged. */
export interface ChosenPrice {
  /** In 10⁻¹² US dollars per token. */
  readonly price: Price;
  /** The project's cost that it comes from; undefined for a server price. */
  readonly said: TokenCost | undefined;
}

/** The token price of a model at a time, ISO 8601; undefined if unknown. */
export type PriceAt = (model: string, time: string | null) => ChosenPrice | undefined;

/** Batches of calls with their costs. */
export async function* pricedCalls(
  batches: AsyncIterable<readonly JsonObject[]>,
  priceAt: PriceAt,
): AsyncIterable<readonly JsonObject[]> {
  for await (const calls of batches) yield calls.map((call) => withCosts(priceAt, call));
}

/** The call with the costs of those models in its usage that have a price. A call without any stays unchanged. */
export function withCosts(priceAt: PriceAt, call: JsonObject): JsonObject {
  const summary: Json = call["summary"] ?? null;
  const usage: Json = isJsonObject(summary) ? (summary["usage"] ?? null) : null;
  if (!isJsonObject(usage)) return call;
  const time = typeof call["started_at"] === "string" ? call["started_at"] : null;
  const costs: [string, Json][] = [];
  for (const [model, said] of Object.entries(usage)) {
    const chosen = priceAt(model, time);
    const parts = chosen && pricedParts(chosen.price, said!);
    if (parts !== undefined) costs.push([model, costsOf(chosen!, parts, said!)]);
  }
  return costs.length === 0 ? call : withDerivedMembers(call, { costs: Object.fromEntries(costs) });
}

function costsOf(
  { price, said }: ChosenPrice,
  parts: NonNullable<ReturnType<typeof pricedParts>>,
  usage: Json,
): Json {
  const requests = isJsonObject(usage) && typeof usage["requests"] === "number" ? usage["requests"] : null;
  const { prompt, cached, written, answer } = parts;
  return {
    prompt_tokens: prompt.tokens + cached.tokens + written.tokens,
    completion_tokens: answer.tokens,
    cache_read_input_tokens: cached.tokens,
    cache_creation_input_tokens: written.tokens,
    total_tokens: prompt.tokens + cached.tokens + written.tokens + answer.tokens,
    requests,
    prompt_token_cost: inDollars(price.input),
    completion_token_cost: inDollars(price.output),
    cache_read_input_token_cost: inDollars(price.cachedInput),
    cache_creation_input_token_cost: inDollars(price.cacheWrite ?? price.input),
    prompt_tokens_total_cost: inDollars(prompt.cost),
    completion_tokens_total_cost: inDollars(answer.cost),
    cache_read_input_tokens_total_cost: inDollars(cached.cost),
    cache_creation_input_tokens_total_cost: inDollars(written.cost),
    prompt_token_cost_unit: "USD",
    completion_token_cost_unit: "USD",
    effective_date: said?.effective_date ?? null,
    provider_id: said?.provider_id ?? "default",
    pricing_level: said === undefined ? "default" : "project",
    pricing_level_id: said?.project_id ?? "default",
    created_at: said?.created_at ?? null,
    created_by: said?.created_by ?? null,
  };
}

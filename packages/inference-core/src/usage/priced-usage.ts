// A usage report with costs: the tokens of each model are priced before rows of several models are combined.

import { costOf, type Prices } from "./prices.ts";
import { USAGE_DIMENSIONS, type UsageQuery, type UsageRow } from "./usage.ts";
import type { UsageSource } from "./usage-ledger.ts";

/** A row of a report, with its cost. */
export interface PricedUsageRow extends UsageRow {
  /** The cost of the requests to models with a price, in the unit of `Price`; absent if there are none. */
  readonly cost?: bigint;
  /** The number of requests to models without a price. */
  readonly unpriced: number;
}

/** The report that `query` requests, in the order of `reportUsage`, at today's prices. */
export async function pricedUsage(
  usage: UsageSource,
  prices: Prices,
  query: UsageQuery,
): Promise<readonly PricedUsageRow[]> {
  const rows = await usage.report(query);
  const dimensions = USAGE_DIMENSIONS.filter((dimension) => query.by?.includes(dimension));
  const costs = new Map<string, { cost: bigint | undefined; priced: number }>();
  // Without prices, no second report is needed.
  const byModel = prices.size === 0 ? [] : await modelRows(usage, query, rows, dimensions);
  for (const row of byModel) {
    const price = prices.get(row.model ?? "");
    if (price === undefined) continue;
    const name = groupName(row, dimensions);
    const known = costs.get(name) ?? { cost: undefined, priced: 0 };
    costs.set(name, { cost: (known.cost ?? 0n) + costOf(price, row), priced: known.priced + row.requests });
  }
  return rows.map((row) => {
    const { cost, priced = 0 } = costs.get(groupName(row, dimensions)) ?? {};
    return { ...row, ...(cost !== undefined && { cost }), unpriced: Math.max(0, row.requests - priced) };
  });
}

/** The same report, also by model. */
async function modelRows(
  usage: UsageSource,
  query: UsageQuery,
  rows: readonly UsageRow[],
  dimensions: NonNullable<UsageQuery["by"]>,
): Promise<readonly UsageRow[]> {
  if (dimensions.includes("model") || rows.length === 0) return rows;
  return usage.report({ ...query, by: [...dimensions, "model"] });
}

function groupName(row: UsageRow, dimensions: NonNullable<UsageQuery["by"]>): string {
  return JSON.stringify([row.entity, row.project, ...dimensions.map((dimension) => row[dimension] ?? null)]);
}

// `GET /usage`: reports usage by caller, model and other dimensions. An extension of the interface.

import { bad, type Issue, ok, type Result } from "@assay/base";
import type { Prices, UsageQuery, UsageSource } from "@assay/inference-core";
import {
  type Allows,
  type PricedUsageRow,
  pricedUsage,
  printDollars,
  USAGE_DIMENSIONS,
  type UsageDimension,
} from "@assay/inference-core/internal";
import { invalid } from "./problem.ts";

const DAY = { test: (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDate(text) };
const NAME = /^[^/]+$/;

/** What a report is made from. */
interface UsageReporting {
  readonly usage: UsageSource;
  readonly prices: Prices;
  /** The name of the key with an ID, if it has one. */
  readonly keyName: (id: string) => Promise<string | undefined>;
}

/** Reports the usage of the projects that the caller may see. */
export async function usageRoute(
  { usage, prices, keyName }: UsageReporting,
  allows: Allows,
  parameters: URLSearchParams,
): Promise<Response> {
  const query = readUsageQuery(parameters);
  if (!query.ok) return invalid(query.issues, "query");
  const rows = await pricedUsage(usage, prices, query.value);
  const seen = rows.filter(({ entity, project }) => allows(entity, project));
  const ids = [...new Set(seen.flatMap(({ key }) => key ?? []))];
  const names = new Map(await Promise.all(ids.map(async (id) => [id, await keyName(id)] as const)));
  const data = seen.map((row) => view(row, names));
  return Response.json({ object: "list", data, lost_records: usage.lost ?? 0 });
}

/** Reads the query of a report; the values of `group_by` are separated by commas. */
function readUsageQuery(parameters: URLSearchParams): Result<UsageQuery> {
  const issues: Issue[] = [];
  const text = (name: string) => parameters.get(name) ?? undefined;
  const checked = (name: string, form: Pick<RegExp, "test">, message: string) => {
    const value = text(name);
    if (value !== undefined && !form.test(value)) issues.push({ code: "invalid", path: [name], message });
    return value;
  };
  const entity = checked("entity", NAME, "must be the name of an entity");
  const project = checked("project", NAME, "must be the name of a project, without its entity");
  const step = checked("step", /^\d{1,9}$/, "must be a step, a whole number");
  const from = checked("from", DAY, "must be a day, as YYYY-MM-DD");
  const to = checked("to", DAY, "must be a day, as YYYY-MM-DD");
  if (issues.length === 0 && from !== undefined && to !== undefined && from > to)
    issues.push({ code: "invalid", path: ["to"], message: `must not be before from, ${from}` });
  const by = text("group_by")?.split(",") ?? [];
  if (!by.every(isDimension)) {
    issues.push({
      code: "invalid",
      path: ["group_by"],
      message: `must be some of ${USAGE_DIMENSIONS.join(", ")}, separated by commas`,
    });
  }
  if (issues.length > 0) return bad(issues);
  const query = {
    entity,
    project,
    model: text("model"),
    key: text("key"),
    user: text("user"),
    step: step === undefined ? undefined : Number(step),
    from,
    to,
    by,
  };
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return ok(Object.fromEntries(given) as UsageQuery);
}

/** Whether the calendar has this day: 2026-02-30 would be read as March 2. */
function isDate(day: string): boolean {
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

function isDimension(name: string): name is UsageDimension {
  return USAGE_DIMENSIONS.includes(name as UsageDimension);
}

function view(row: PricedUsageRow, names: ReadonlyMap<string, string | undefined>) {
  const { promptTokens, cachedTokens, generatedTokens, deliveredTokens, cost, unpriced, ...rest } = row;
  return {
    ...rest,
    ...(rest.key !== undefined && { key_name: names.get(rest.key) ?? null }),
    cost_usd: cost === undefined ? null : printDollars(cost),
    unpriced_requests: unpriced,
    prompt_tokens: promptTokens,
    cached_tokens: cachedTokens,
    generated_tokens: generatedTokens,
    delivered_tokens: deliveredTokens,
  };
}

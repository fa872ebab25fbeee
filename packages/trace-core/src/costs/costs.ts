// The costs of tokens in a project, which clients set, and which are chosen by the time of a call.

import { bad, type Issue, type JsonObject, ok, type Result } from "@assay/base";
import { lazySchemas, shownName } from "@assay/base/internal";
import { microseconds } from "@assay/calls";
import { type } from "arktype";
import type { CostStore, TokenCost } from "../ports/cost-store.ts";
import type { ReadContext } from "../ports/read-context.ts";
import { type Described, readBody } from "../request/read-body.ts";
import {
  matchesQuery,
  pageOfRecords,
  type RecordFields,
  type RecordQuery,
  readPurge,
  readRecordQuery,
} from "../request/record-query.ts";
import { unsupportedOptions } from "../request/unsupported-options.ts";

/** The most models in one request, and the most characters of a model's name. */
const MOST = { models: 1000, name: 512 };
/** The highest cost in dollars per token, far above any real one. */
const HIGHEST = 1_000_000;

const schemas = lazySchemas(() => {
  const Dollars = type(`0 <= number <= ${HIGHEST}`);
  const Unit = type("'USD'|null").describe("'USD': costs are US dollars here");
  const Cost = type({
    prompt_token_cost: Dollars,
    completion_token_cost: Dollars,
    "cache_read_input_token_cost?": Dollars,
    "cache_creation_input_token_cost?": Dollars,
    "prompt_token_cost_unit?": Unit,
    "completion_token_cost_unit?": Unit,
    "effective_date?": "string|null",
    "provider_id?": "string <= 512 | null",
    "+": "reject",
  });
  /** The body that sets token costs, by model. */
  const CostsBody = type({
    project_id: "string",
    costs: { "[string]": Cost },
    "wb_user_id?": unsupportedOptions().User,
    "+": "reject",
  });
  return { CostsBody };
});

/** The schemas, for an OpenAPI document. */
export const COST_SCHEMAS: () => Described<"CostsBody"> = schemas;

/** The user that sets costs, the time, and new IDs. */
export interface CostContext {
  /** The time, ISO 8601. */
  readonly now: string;
  /** The principal. */
  readonly user: string;
  /** A unique ID. */
  readonly newId: () => string;
}

/** Reads token costs. */
export function readCosts(
  given: unknown,
  { now, user, newId }: CostContext,
): Result<{ readonly project_id: string; readonly costs: readonly TokenCost[] }> {
  const read = readBody(schemas().CostsBody, given);
  if (!read.ok) return read;
  const { project_id, costs } = read.value;
  const issues = issuesOf(costs);
  if (issues.length > 0) return bad(issues);
  return ok({
    project_id,
    costs: Object.entries(costs).map(([llm_id, cost]) => ({
      id: newId(),
      project_id,
      llm_id,
      provider_id: cost.provider_id ?? "default",
      effective_date: cost.effective_date ?? now,
      prompt_token_cost: cost.prompt_token_cost,
      completion_token_cost: cost.completion_token_cost,
      cache_read_input_token_cost: cost.cache_read_input_token_cost ?? 0,
      cache_creation_input_token_cost: cost.cache_creation_input_token_cost ?? 0,
      prompt_token_cost_unit: cost.prompt_token_cost_unit ?? "USD",
      completion_token_cost_unit: cost.completion_token_cost_unit ?? "USD",
      created_at: now,
      created_by: user,
    })),
  });
}

function issuesOf(costs: { readonly [model: string]: { effective_date?: string | null } }): readonly Issue[] {
  const at = ["body", "costs"];
  const models = Object.entries(costs);
  if (models.length > MOST.models)
    return [
      {
        code: "too_long",
        path: at,
        message: `costs may have at most ${MOST.models} models, not ${models.length}`,
      },
    ];
  return models
    .flatMap(([model, { effective_date: date }]): Issue[] => {
      const path = [...at, shownName(model)];
      if (model.length > MOST.name)
        return [
          {
            code: "string_too_long",
            path,
            message: `a model's name may have at most ${MOST.name} characters`,
          },
        ];
      if (date == null || !Number.isNaN(microseconds(date))) return [];
      const message = `effective_date must be an ISO 8601 time, not ${JSON.stringify(date.slice(0, 40))}`;
      return [{ code: "value_error", path: [...path, "effective_date"], message }];
    })
    .slice(0, 100);
}

const FIELDS: RecordFields = {
  noun: "a cost",
  open: [],
  names: new Set([
    "id",
    "llm_id",
    "provider_id",
    "effective_date",
    "prompt_token_cost",
    "completion_token_cost",
    "cache_read_input_token_cost",
    "cache_creation_input_token_cost",
    "prompt_token_cost_unit",
    "completion_token_cost_unit",
    "created_at",
    "created_by",
  ]),
};

/** Reads a query for costs. */
export function readCostQuery(given: unknown): Result<RecordQuery> {
  return readRecordQuery(given, FIELDS);
}

/** Reads which costs to remove. */
export function readCostPurge(given: unknown): Result<RecordQuery> {
  return readPurge(given, FIELDS);
}

/** A page of the costs that match, in the order in which they were added unless `query` sorts them. */
export async function queryCosts(
  store: CostStore,
  query: RecordQuery,
  reading: ReadContext = {},
): Promise<readonly JsonObject[]> {
  const found = (await store.all(query.project)).map(({ project_id: _, ...cost }) => cost);
  return pageOfRecords(
    found.filter((cost) => matchesQuery(query, cost)),
    query,
    reading,
  );
}

/** Removes the costs that match. */
export async function purgeCosts(store: CostStore, query: RecordQuery): Promise<void> {
  const purged = (await store.all(query.project)).filter((cost) => matchesQuery(query, cost));
  await store.remove(
    query.project,
    purged.map(({ id }) => id),
  );
}

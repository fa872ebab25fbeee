// Adds the costs of model calls to the answers of an execution, which knows no prices, for queries with
// `include_costs`. Columns, the reference and databases thus have the same costs, and other queries cost no extra work.

import { type Cancellation, Fault, type Json, ok } from "@assay/base";
import { isJsonObject, keepNumberText } from "@assay/base/internal";
import type { CallSource } from "@assay/calls";
import type {
  EvalExecution,
  EvalResults,
  EvalResultsQueryBody,
  EvalResultsRow,
  EvalResultsSummary,
  EvalResultsTrial,
} from "@assay/eval-engine";
import { type EvalQuery, type EvalResultsInParts, readRequest } from "@assay/eval-engine/internal";
import type { Prices } from "@assay/inference-core";
import { costOfUsage, printDollars } from "@assay/inference-core/internal";
import type { CostStore } from "@assay/trace-core";
import type { DataAccess } from "./data-access.ts";
import { projectPrices } from "./project-prices.ts";

/** Data that costs can be added to. */
export interface PriceableData extends Pick<DataAccess, "query"> {
  /** Answers its queries. */
  readonly engine: EvalExecution;
  /** The calls of its evaluations. */
  readonly calls: Pick<CallSource, "calls">;
}

/**
 * The same data, with costs in answers to `include_costs`. The cost of a trial is that of the call with its tokens; the
 * summary has the sum over all trials with a cost, on the page or not. Prices that the project sets (`said`) take
 * precedence over `prices`; without either, a cost is null.
 */
export function withPrices<Data extends PriceableData>(
  data: Data,
  prices: Prices | undefined,
  costStore?: CostStore,
): Data {
  const priceIn = (project: string) => projectPrices(costStore, prices, project);
  const costs: CallCosts = (project, ids) => costsOf(data, priceIn, project, ids);
  const engine = pricedExecution(data.engine, costs);
  return { ...data, engine, query: (project: string, body: unknown) => engine.answer(project, body) };
}

/** The costs of calls, in the order of their IDs; undefined if unknown. */
type CallCosts = (project: string, ids: readonly string[]) => Promise<readonly (bigint | undefined)[]>;

async function costsOf(
  { calls }: PriceableData,
  priceIn: (project: string) => ReturnType<typeof projectPrices>,
  project: string,
  ids: readonly string[],
): Promise<readonly (bigint | undefined)[]> {
  const priceAt = await priceIn(project);
  if (priceAt === undefined) return ids.map(() => undefined);
  const found = await calls.calls(project, ids);
  return found.map((call) => {
    const summary: Json = call?.summary ?? null;
    if (!isJsonObject(summary)) return undefined;
    const get = (model: string) => priceAt(model, call?.started_at ?? null)?.price;
    return costOfUsage({ get }, summary["usage"] ?? null);
  });
}

function pricedExecution<Engine extends EvalExecution>(engine: Engine, costs: CallCosts): Engine {
  const { answerInParts } = engine;
  return {
    ...engine,
    ...(answerInParts !== undefined && { answerInParts: pricedInParts(engine, answerInParts, costs) }),
    async answer(project, body, options = {}) {
      const answer = await engine.answer(project, body, options);
      const query = pricedQuery(body);
      if (!answer.ok || query === undefined) return answer;
      const { rows, summary } = answer.value;
      const of = { engine, costs, project, body: body as EvalResultsQueryBody, query, ...options };
      return ok({
        ...answer.value,
        rows: await pricedRows(rows, costs, project),
        summary: await pricedSummary(of, summary),
      });
    },
  };
}

type AnswerInParts = NonNullable<EvalExecution["answerInParts"]>;

function pricedInParts(engine: EvalExecution, answerInParts: AnswerInParts, costs: CallCosts): AnswerInParts {
  return async (project, body, options = {}) => {
    const answer = await answerInParts(project, body, options);
    const query = pricedQuery(body);
    if (!answer.ok || query === undefined) return answer;
    const { rows, summary, ...rest } = answer.value;
    try {
      const of = { engine, costs, project, body: body as EvalResultsQueryBody, query, ...options };
      const priced = await pricedSummary(of, summary);
      return ok({ ...rest, rows: pricedParts(rows, costs, project), summary: priced });
    } catch (error) {
      // Releases resources of the parts.
      await rows.return([]);
      throw error;
    }
  };
}

/** The query of a body that requests costs. */
function pricedQuery(body: unknown): EvalQuery | undefined {
  if (!isJsonObject(body) || body["include_costs"] !== true) return undefined;
  const query = readRequest(body);
  return query.ok ? query.value : undefined;
}

/** The call whose tokens are the trial's. */
function paidCall({ predict_call_id, predict_and_score_call_id }: EvalResultsTrial): string {
  return predict_call_id ?? predict_and_score_call_id;
}

const trialsOf = ({ evaluations }: EvalResultsRow) => evaluations.flatMap(({ trials }) => trials);

/** Copies of rows with the costs of their trials. The originals belong to the engine and stay unchanged. */
async function pricedRows(
  rows: readonly EvalResultsRow[],
  costs: CallCosts,
  project: string,
): Promise<readonly EvalResultsRow[]> {
  const found = (await costs(project, rows.flatMap(trialsOf).map(paidCall))).values();
  return rows.map((row) => {
    const evaluations = row.evaluations.map((of) => ({
      ...of,
      trials: of.trials.map((trial) => {
        const priced = { ...trial, total_cost: dollars(found.next().value) };
        keepNumberText(trial as object as Json, "model_output", priced, "model_output");
        return priced;
      }),
    }));
    const priced = { ...row, evaluations };
    keepNumberText(row as object as Json, "raw_data_row", priced, "raw_data_row");
    return priced;
  });
}

async function* pricedParts(
  rows: EvalResultsInParts["rows"],
  costs: CallCosts,
  project: string,
): EvalResultsInParts["rows"] {
  try {
    for (;;) {
      const { done, value } = await rows.next();
      if (done === true) return value;
      yield await pricedRows(value, costs, project);
    }
  } finally {
    await rows.return([]);
  }
}

function dollars(cost: bigint | undefined): number | null {
  return cost === undefined ? null : Number(printDollars(cost));
}

interface SummaryOf {
  readonly engine: EvalExecution;
  readonly costs: CallCosts;
  readonly project: string;
  readonly body: EvalResultsQueryBody;
  readonly query: EvalQuery;
  readonly signal?: Cancellation;
}

async function pricedSummary(
  of: SummaryOf,
  summary: EvalResultsSummary | null,
): Promise<EvalResultsSummary | null> {
  if (summary === null) return null;
  const sums = new Map<string, bigint>();
  let paid: { readonly evaluation: string; readonly call: string }[] = [];
  const add = async () => {
    const costs = await of.costs(
      of.project,
      paid.map(({ call }) => call),
    );
    for (const [i, { evaluation }] of paid.entries()) {
      const cost = costs[i];
      if (cost !== undefined) sums.set(evaluation, (sums.get(evaluation) ?? 0n) + cost);
    }
    paid = [];
    if (of.signal?.aborted) throw new Fault("cancelled", "the query was cancelled");
  };
  for await (const rows of summaryRows(of)) {
    for (const { evaluations } of rows)
      for (const { evaluation_call_id: evaluation, trials } of evaluations)
        paid.push(...trials.map((trial) => ({ evaluation, call: paidCall(trial) })));
    if (paid.length >= CALLS) await add();
  }
  if (paid.length > 0) await add();
  return {
    ...summary,
    evaluations: summary.evaluations.map((one) => ({
      ...one,
      predict_total_cost: dollars(sums.get(one.evaluation_call_id)),
    })),
  };
}

// The least number of calls per read.
const CALLS = 2048;

// The number of rows in memory if an execution does not answer in parts.
const PAGE = 1000;

/** The rows that a summary covers, in chunks: the answer does not contain all trials that it counts. */
async function* summaryRows({
  engine,
  project,
  body,
  query,
  signal,
}: SummaryOf): AsyncGenerator<readonly EvalResultsRow[]> {
  const asked: EvalResultsQueryBody = {
    ...body,
    ...{ include_rows: true, include_summary: false, include_raw_data_rows: false, resolve_row_refs: false },
    ...{ require_intersection: query.summaryIntersect, sort_by: [], limit: null, offset: 0 },
  };
  const options = signal === undefined ? {} : { signal };
  if (engine.answerInParts !== undefined) {
    const answer = await engine.answerInParts(project, asked, options);
    if (answer.ok) yield* answer.value.rows;
    return;
  }
  for (let offset = 0; ; offset += PAGE) {
    const answer = await engine.answer(project, { ...asked, limit: PAGE, offset }, options);
    const rows: EvalResults["rows"] = answer.ok ? answer.value.rows : [];
    yield rows;
    if (rows.length < PAGE) return;
  }
}

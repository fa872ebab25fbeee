// The trials in ClickHouse, for the engine: the server answers each query completely.

import type {
  EvaluationTrial,
  QueriedColumns,
  TrialColumnSource,
  TrialQuery,
} from "@assay/eval-engine/pushed";
import { trialOf } from "../columns/trial-rows.ts";
import type { ClickHouse, RunOptions } from "../connection/clickhouse.ts";
import type { Tables } from "../connection/schema.ts";
import { preflightOf, preflightStatement } from "../sql/preflight-query.ts";
import { countStatement, numericStatement, pageStatement } from "../sql/rows-query.ts";
import { inexactReason, sizeStatement } from "../sql/size-query.ts";
import { leastPrecision, precisionFor, type SumPrecision } from "../sql/sort-keys.ts";
import { Parameters } from "../sql/statement.ts";
import type { QueryContext } from "../sql/trials-sql.ts";
import { columnsStatement, leavesOfShapes, trialColumns } from "./trial-columns.ts";
import { trialCounts } from "./trial-counts.ts";

/** The trials in the tables of a database. */
export function trialStore(clickhouse: ClickHouse, tables: Tables): TrialColumnSource {
  return { open: (of) => queriedTrials(clickhouse, tables, of) };
}

function queriedTrials(clickhouse: ClickHouse, tables: Tables, of: TrialQuery): QueriedColumns {
  const { project, query } = of;
  const options = run(of);
  const lookUp = async (): Promise<QueryContext> => {
    const context = { tables, project, query };
    const statement = preflightStatement(context);
    const found = statement === undefined ? [] : await clickhouse.query(statement, options);
    return { ...context, ...preflightOf(found) };
  };
  let context: Promise<QueryContext> | undefined;
  const contextOf = (): Promise<QueryContext> => {
    context ??= lookUp();
    return context;
  };

  return {
    async size() {
      const [row] = await clickhouse.query(sizeStatement({ tables, ...of }), options);
      const [trials, marks, rowMarks] = row!.map(Number) as [number, number, number];
      return { trials, unfit: inexactReason(query, marks, rowMarks) };
    },

    async page() {
      const context = await contextOf();
      if (!query.rows || query.limit === 0) {
        const [[total]] = (await clickhouse.query(countStatement(context, query.intersect), options)) as [
          [string],
        ];
        return { total: Number(total), digests: [] };
      }
      const probe = numericStatement(context);
      const [found] = probe === undefined ? [] : await clickhouse.query(probe, options);
      const numeric = query.sortBy.map((_, k) => Number(found?.[k] ?? 0) > 0);
      const put = (care: SumPrecision) => clickhouse.page(pageStatement(context, numeric, care), options);
      const least = leastPrecision(query, numeric);
      const first = await put(least);
      const more = least === "any" ? undefined : precisionFor(first.rows[0]);
      const { rows, before } = more === undefined ? first : await put(more);
      return { total: before, digests: rows.map(([digest]) => digest as string) };
    },

    async countSummaryRows() {
      const statement = countStatement(await contextOf(), query.summaryIntersect);
      const [[count]] = (await clickhouse.query(statement, options)) as [[string]];
      return Number(count);
    },

    async scoreLeaves() {
      const context = { tables, project, query: { ...query, summary: true } };
      const { shapes } = preflightOf(await clickhouse.query(preflightStatement(context)!, options));
      return leavesOfShapes(shapes);
    },

    async columns(asked) {
      const found = await clickhouse.columns(columnsStatement(await contextOf(), asked), options);
      return trialColumns(found, asked);
    },

    counts: async () => trialCounts(clickhouse, await contextOf(), options),

    trials: (digests) => trialsOf(clickhouse, tables, of, digests),
  };
}

/** All trials of some rows, with their payloads. */
async function trialsOf(
  clickhouse: ClickHouse,
  tables: Tables,
  of: TrialQuery,
  digests: readonly string[],
): Promise<readonly EvaluationTrial[]> {
  const { project, query } = of;
  const within = (parameters: Parameters) => {
    const [p, evaluations] = [parameters.text(project), parameters.texts(query.evaluations)];
    return { evaluations, where: `project = ${p} AND evaluation IN ${evaluations}` };
  };
  // Without FINAL, which would read the IDs of all trials: a trial that used to have such a digest has no payload with
  // it.
  const ids = new Parameters();
  const found = await clickhouse.query(
    ids.statement(
      `SELECT DISTINCT evaluation, id FROM ${tables.trials} WHERE ${within(ids).where} AND digest IN ${ids.texts(digests)}`,
    ),
    run(of),
  );
  if (found.length === 0) return [];
  const parameters = new Parameters();
  const { evaluations, where } = within(parameters);
  const keys = [0, 1].map((at) => parameters.texts(found.map((row) => row[at] as string)));
  const rows = await clickhouse.query(
    parameters.statement(
      `SELECT evaluation, example, output, facts, toString(started) FROM ${tables.payloads} FINAL WHERE ${where} AND id NOT IN ${evaluations} AND (evaluation, id) IN arrayZip(${keys.join(", ")})`,
    ),
    run(of),
  );
  return rows.map((row): EvaluationTrial => {
    const [evaluation, example, output, facts, started] = row as [string, string, string, string, string];
    return { evaluation, trial: trialOf({ example, output, facts, started }) };
  });
}

function run({ signal }: TrialQuery): RunOptions {
  // Only signals with events can be passed on; others are checked between the statements.
  return signal instanceof AbortSignal ? { signal } : {};
}

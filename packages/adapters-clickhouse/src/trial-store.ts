// The trials in ClickHouse, for the engine: every query is put to the server whole.

import type { EvaluationTrial, TrialQuery, TrialStore } from "@assay/eval-engine";
import type { ClickHouse, RunOptions } from "./clickhouse.ts";
import type { Tables } from "./schema.ts";
import { trialOf } from "./shred.ts";
import {
  countStatement,
  mayBeFew,
  nestedStatement,
  numericStatement,
  pageStatement,
  type QueryContext,
} from "./sql/rows-query.ts";
import { sizeStatement, unfitFor } from "./sql/size-query.ts";
import { Parameters } from "./sql/statement.ts";
import { trialCounts } from "./trial-counts.ts";

/** The trials in the tables of a database. */
export function trialStore(clickhouse: ClickHouse, tables: Tables): TrialStore {
  const contextOf = async (of: TrialQuery): Promise<QueryContext> => {
    const context = { tables, project: of.project, query: of.query };
    // A requested id that is a trial of another one is seldom, and found by the index.
    const [row] =
      of.query.evaluations.length < 2 ? [] : await clickhouse.query(nestedStatement(context), run(of));
    return { ...context, nested: Number(row?.[0] ?? 0) > 0 };
  };

  return {
    async size(of) {
      const [row] = await clickhouse.query(sizeStatement({ tables, ...of }), run(of));
      const [trials, marks, rowMarks] = row!.map(Number) as [number, number, number];
      return { trials, unfit: unfitFor(of.query, marks, rowMarks) };
    },

    async page(of) {
      const context = await contextOf(of);
      const { query } = of;
      if (!query.rows || query.limit === 0) {
        const [[total]] = (await clickhouse.query(countStatement(context, query.intersect), run(of))) as [
          [string],
        ];
        return { total: Number(total), digests: [] };
      }
      const probe = numericStatement(context);
      const [found] = probe === undefined ? [] : await clickhouse.query(probe, run(of));
      const numeric = query.sortBy.map((_, k) => Number(found?.[k] ?? 0) > 0);
      const few = mayBeFew(query, numeric);
      const first = await clickhouse.page(pageStatement(context, numeric, few), run(of));
      const { rows, before } =
        few && Number(first.rows[0]?.[1] ?? 0) > 2
          ? await clickhouse.page(pageStatement(context, numeric, false), run(of))
          : first;
      return { total: before, digests: rows.map(([digest]) => digest as string) };
    },

    async countSummaryRows(of) {
      const statement = countStatement(await contextOf(of), of.query.summaryIntersect);
      const [[count]] = (await clickhouse.query(statement, run(of))) as [[string]];
      return Number(count);
    },

    counts: async (of) => trialCounts(clickhouse, await contextOf(of), run(of)),

    async trials(of, digests) {
      const { project, query } = of;
      const parameters = new Parameters();
      const [p, evaluations] = [parameters.text(project), parameters.texts(query.evaluations)];
      const where = `project = ${p} AND evaluation IN ${evaluations} AND id NOT IN ${evaluations}`;
      const ids = `SELECT evaluation, id FROM ${tables.trials} FINAL WHERE ${where} AND digest IN ${parameters.texts(digests)}`;
      const rows = await clickhouse.query(
        parameters.statement(
          `SELECT evaluation, example, output, facts, toString(started) FROM ${tables.payloads} FINAL WHERE ${where} AND (evaluation, id) IN (${ids})`,
        ),
        run(of),
      );
      return rows.map((row): EvaluationTrial => {
        const [evaluation, example, output, facts, started] = row as [string, string, string, string, string];
        return { evaluation, trial: trialOf({ example, output, facts, started }) };
      });
    },
  };
}

function run({ signal }: TrialQuery): RunOptions {
  // Only a signal that tells can be passed on; one that must be asked is asked between the statements.
  return signal instanceof AbortSignal ? { signal } : {};
}

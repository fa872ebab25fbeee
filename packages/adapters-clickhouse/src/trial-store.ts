// The trials in ClickHouse, for the engine: every query is put to the server whole.

import type { EvaluationTrial, ShapeCount, TrialQuery, TrialStore } from "@assay/eval-engine";
import type { ClickHouse, Rows, RunOptions } from "./clickhouse.ts";
import type { Tables } from "./schema.ts";
import { trialOf } from "./shred.ts";
import { exactParts, leavesRest, restParts } from "./sql/exact.ts";
import { countStatement, numericStatement, pageStatement, type QueryContext } from "./sql/rows-query.ts";
import { sizeStatement, unfitFor } from "./sql/size-query.ts";
import { Parameters } from "./sql/statement.ts";
import {
  SUMMANDS_AT_ONCE,
  type Summand,
  shapesStatement,
  sumsStatement,
  tiesStatement,
} from "./sql/summary-query.ts";

/** The trials in the tables of a database. */
export function trialStore(clickhouse: ClickHouse, tables: Tables): TrialStore {
  const contextOf = ({ project, query }: TrialQuery): QueryContext => ({ tables, project, query });

  return {
    async size(of) {
      const [row] = await clickhouse.query(sizeStatement(contextOf(of)), run(of));
      const [trials, marks, rowMarks] = row!.map(Number) as [number, number, number];
      return { trials, unfit: unfitFor(of.query, marks, rowMarks) };
    },

    async page(of) {
      const context = contextOf(of);
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
      const { rows, before } = await clickhouse.page(pageStatement(context, numeric), run(of));
      return { total: before, digests: rows.map(([digest]) => digest as string) };
    },

    async countSummaryRows(of) {
      const statement = countStatement(contextOf(of), of.query.summaryIntersect);
      const [[count]] = (await clickhouse.query(statement, run(of))) as [[string]];
      return Number(count);
    },

    async counts(of) {
      const context = contextOf(of);
      const found = await shapesOf(clickhouse, context, run(of));
      const sums = await sumsOf(clickhouse, context, summandsOf(found), run(of));
      return [...found].map(([place, { shapes, withTokens }]) => {
        const own = sums.get(place) ?? new Map<string, Sum>();
        const numbers = own.get(TOKENS)?.numbers ?? [];
        return {
          evaluation: of.query.evaluations[place - 1]!,
          shapes,
          sums: own,
          tokens: { trials: withTokens, numbers },
        };
      });
    },

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

interface Shapes {
  readonly shapes: readonly ShapeCount[];
  /** Trials that report tokens. */
  readonly withTokens: number;
}

/** By the place of the evaluation: its shapes in the order of their first appearance. */
async function shapesOf(
  clickhouse: ClickHouse,
  context: QueryContext,
  options: RunOptions,
): Promise<ReadonlyMap<number, Shapes>> {
  const rows = await clickhouse.query(shapesStatement(context), options);
  const byPlace = grouped(rows, ([place]) => Number(place));
  const rank = await tieRanks(clickhouse, context, byPlace, options);
  const found = new Map<number, Shapes>();
  for (const [place, all] of byPlace) {
    const ordered = all.toSorted((a, b) => compareBytes(digestOf(a), digestOf(b)) || rank(a) - rank(b));
    found.set(place, {
      shapes: ordered.map((row) => ({
        leaves: JSON.parse(row[1] as string) as ShapeCount["leaves"],
        trials: Number(row[2]),
      })),
      withTokens: all.reduce((sum, row) => sum + Number(row[4]), 0),
    });
  }
  return found;
}

/** The place, in the order of trials, of a shape among those that first appear in the same row. */
async function tieRanks(
  clickhouse: ClickHouse,
  context: QueryContext,
  byPlace: ReadonlyMap<number, Rows>,
  options: RunOptions,
): Promise<(row: readonly unknown[]) => number> {
  const tied = new Set<string>();
  for (const rows of byPlace.values()) {
    for (const [digest, same] of grouped(rows, digestOf)) if (same.length > 1) tied.add(digest);
  }
  if (tied.size === 0) return () => 0;
  const ranks = new Map<string, number>();
  const rows = await clickhouse.query(tiesStatement(context, [...tied]), options);
  for (const [i, [place, shape, digest]] of rows.entries())
    ranks.set(JSON.stringify([Number(place), shape, digest]), i);
  return (row) => ranks.get(JSON.stringify([Number(row[0]), row[1], digestOf(row)])) ?? 0;
}

function grouped<Key>(rows: Rows, keyOf: (row: readonly unknown[]) => Key): ReadonlyMap<Key, Rows> {
  const groups = new Map<Key, (readonly unknown[])[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

function digestOf(row: readonly unknown[]): string {
  return row[3] as string;
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

interface Sum {
  readonly numbers: readonly number[];
  readonly passTrue: number;
}

/** What is summed, by its name: the keys of a leaf as JSON. */
type Summands = ReadonlyMap<string, readonly Summand[]>;

/** The name of the tokens among the sums: no leaf has it. */
const TOKENS = "tokens";

function summandsOf(found: ReadonlyMap<number, Shapes>): Summands {
  const summands = new Map<string, Summand[]>();
  const seen = new Set<string>();
  const add = (name: string, summand: Summand): void => {
    if (seen.has(`${summand.what} ${name}`)) return;
    seen.add(`${summand.what} ${name}`);
    summands.set(name, [...(summands.get(name) ?? []), summand]);
  };
  for (const { shapes, withTokens } of found.values()) {
    if (withTokens > 0) add(TOKENS, { what: "tokens" });
    for (const [keys, what] of shapes.flatMap((shape) => shape.leaves))
      if (what !== "string") add(JSON.stringify(keys), { what, keys });
  }
  return summands;
}

/** By the place of the evaluation, then by name: the sums. */
async function sumsOf(
  clickhouse: ClickHouse,
  context: QueryContext,
  summands: Summands,
  options: RunOptions,
): Promise<ReadonlyMap<number, ReadonlyMap<string, Sum>>> {
  const all = [...summands].flatMap(([name, some]) => some.map((summand) => ({ name, summand })));
  const found = new Map<number, Map<string, Sum>>();
  const add = (place: number, name: string, { numbers, passTrue }: Sum): void => {
    const sums = found.get(place) ?? new Map<string, Sum>();
    found.set(place, sums);
    const known = sums.get(name);
    sums.set(name, {
      numbers: [...(known?.numbers ?? []), ...numbers],
      passTrue: (known?.passTrue ?? 0) + passTrue,
    });
  };
  const ask = (some: typeof all, rest: boolean): Promise<Rows> =>
    clickhouse.query(
      sumsStatement(
        context,
        some.map(({ summand }) => summand),
        rest,
      ),
      options,
    );
  for (let at = 0; at < all.length; at += SUMMANDS_AT_ONCE) {
    const some = all.slice(at, at + SUMMANDS_AT_ONCE);
    const left = new Set<(typeof all)[number]>();
    for (const row of await ask(some, false)) {
      for (const [i, item] of some.entries()) {
        const columns = row.slice(1 + 2 * i, 3 + 2 * i);
        if (item.summand.what === "boolean") {
          add(Number(row[0]), item.name, { numbers: [], passTrue: Number(columns[0]) });
          continue;
        }
        add(Number(row[0]), item.name, { numbers: exactParts(columns), passTrue: 0 });
        if (leavesRest(columns)) left.add(item);
      }
    }
    if (left.size === 0) continue;
    for (const row of await ask([...left], true)) {
      for (const [i, { name }] of [...left].entries())
        add(Number(row[0]), name, { numbers: restParts(row.slice(1 + i)), passTrue: 0 });
    }
  }
  return found;
}

// The counts of a summary, computed by ClickHouse: trials by shape with the sums of the leaves.

import type { TrialCounts } from "@assay/eval-engine/pushed";
import type { ClickHouse, ResultRows, RunOptions } from "../connection/clickhouse.ts";
import { exactParts, leavesRest, restParts } from "../sql/exact.ts";
import {
  countsStatement,
  leavesOf,
  restStatement,
  SUMMANDS_AT_ONCE,
  SUMS_AT,
  type Summand,
  tiesStatement,
} from "../sql/summary-query.ts";
import type { QueryContext } from "../sql/trials-sql.ts";

/** The counts of each evaluation with a trial in the summary's rows. */
export async function trialCounts(
  clickhouse: ClickHouse,
  context: QueryContext,
  options: RunOptions,
): Promise<readonly TrialCounts[]> {
  const { shapes } = context;
  const summands = summandsOf(shapes);
  const several = shapes.length > 1;
  const sums = new Sums();
  let byPlace: ReadonlyMap<number, ResultRows> = new Map();
  for (let at = 0; at < summands.length; at += SUMMANDS_AT_ONCE) {
    const some = summands.slice(at, at + SUMMANDS_AT_ONCE);
    const rows = await clickhouse.query(countsStatement(context, some, several), options);
    if (at === 0) byPlace = grouped(ofAllShards(rows), ([place]) => Number(place));
    const left = sums.add(some, rows);
    if (left.length > 0) sums.addRest(left, await clickhouse.query(restStatement(context, left), options));
  }
  const rank = several ? await tieRanks(clickhouse, context, byPlace, options) : () => 0;
  return [...byPlace].map(([place, all]): TrialCounts => {
    const first = all.toSorted((a, b) => compareBytes(digestOf(a), digestOf(b)) || rank(a) - rank(b));
    return {
      evaluation: context.query.evaluations[place - 1]!,
      shapes: first.map((row) => ({
        leaves: leavesOf(several ? (row[1] as string) : shapes[0]!),
        trials: Number(row[2]),
      })),
      sums: sums.of(place),
      tokens: {
        trials: all.reduce((sum, row) => sum + Number(row[4]), 0),
        numbers: sums.of(place).get(TOKENS)?.numbers ?? [],
      },
    };
  });
}

/** The name of the tokens among the sums, which no leaf has. */
const TOKENS = "tokens";

function nameOf(summand: Summand): string {
  return summand.what === "tokens" ? TOKENS : JSON.stringify(summand.keys);
}

/** What to sum for trials of these shapes: the tokens, and every leaf with numbers or booleans. */
function summandsOf(shapes: readonly string[]): readonly Summand[] {
  const summands = new Map<string, Summand>([[TOKENS, { what: "tokens" }]]);
  for (const [keys, what] of shapes.flatMap(leavesOf))
    if (what !== "string") summands.set(`${what} ${JSON.stringify(keys)}`, { what, keys });
  return [...summands.values()];
}

interface Sum {
  readonly numbers: readonly number[];
  readonly passTrue: number;
}

/** Sums by the place of the evaluation, then by name, combined from the rows of several statements. */
class Sums {
  private readonly found = new Map<number, Map<string, Sum>>();

  of(place: number): ReadonlyMap<string, Sum> {
    return this.found.get(place) ?? new Map();
  }

  /** Adds rows of `countsStatement`; returns the summands that they do not fully cover. */
  add(summands: readonly Summand[], rows: ResultRows): readonly Summand[] {
    const left = new Set<Summand>();
    for (const row of rows) {
      for (const [i, summand] of summands.entries()) {
        const columns = row.slice(SUMS_AT + 2 * i, SUMS_AT + 2 * i + 2);
        if (summand.what === "boolean") this.put(row, summand, { numbers: [], passTrue: Number(columns[0]) });
        else {
          this.put(row, summand, { numbers: exactParts(columns), passTrue: 0 });
          if (leavesRest(columns)) left.add(summand);
        }
      }
    }
    return [...left];
  }

  /** Adds rows of `restStatement`. */
  addRest(summands: readonly Summand[], rows: ResultRows): void {
    for (const row of rows) {
      for (const [i, summand] of summands.entries())
        this.put(row, summand, { numbers: restParts(row.slice(1 + i)), passTrue: 0 });
    }
  }

  private put([place]: readonly unknown[], summand: Summand, { numbers, passTrue }: Sum): void {
    const sums = this.found.get(Number(place)) ?? new Map<string, Sum>();
    this.found.set(Number(place), sums);
    const known = sums.get(nameOf(summand));
    sums.set(nameOf(summand), {
      numbers: [...(known?.numbers ?? []), ...numbers],
      passTrue: (known?.passTrue ?? 0) + passTrue,
    });
  }
}

/** The order of a shape among those that first appear in the same row. */
async function tieRanks(
  clickhouse: ClickHouse,
  context: QueryContext,
  byPlace: ReadonlyMap<number, ResultRows>,
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

function grouped<Key>(
  rows: ResultRows,
  keyOf: (row: readonly unknown[]) => Key,
): ReadonlyMap<Key, ResultRows> {
  const groups = new Map<Key, (readonly unknown[])[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

/** Rows of `countsStatement` without their sums: one for each evaluation and shape. */
function ofAllShards(rows: ResultRows): ResultRows {
  const groups = grouped(rows, ([place, shape]) => `${place} ${shape}`);
  return [...groups.values()].map((same) => {
    const [place, shape] = same[0]!;
    const total = (at: number): number => same.reduce((sum, row) => sum + Number(row[at]), 0);
    return [place, shape, total(2), same.map(digestOf).toSorted(compareBytes)[0]!, total(4)];
  });
}

function digestOf(row: readonly unknown[]): string {
  return row[3] as string;
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

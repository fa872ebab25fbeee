// The executable specification: docs/reference/semantics.md over plain objects, without indexes, columns or caches.
// Every faster implementation must give the same answers, byte for byte. Never make it faster at the expense of
// clarity.

import type { Json } from "@assay/base";
import { compareText } from "@assay/base/internal";
import { type CallSource, type RowSource, rowIdOf } from "@assay/calls";
import { scoresOf } from "@assay/calls/internal";
import { asNumber, testQuery } from "@assay/query-lang";
import { asText, printFieldPath } from "@assay/query-lang/internal";
import { exactMean, exactSum } from "@assay/statistics/exact";
import type { EvalQuery, SortKey } from "../query/request.ts";
import {
  type EvalResults,
  type EvalResultsEvaluationSummary,
  type EvalResultsRow,
  type EvalResultsSummary,
  UNRESOLVED_ROWS,
} from "../query/response.ts";
import { readField } from "../trials/read-field.ts";
import { type ScoreLeaf, scoreLeaves, scorerStats, summaryMetadata } from "../trials/summary.ts";
import { trialResponse } from "../trials/trial-response.ts";
import { compareTrials, type Trial } from "../trials/trials.ts";
import { readTrialPlainly } from "./naive-trial.ts";

/** A row, with its trials by evaluation. */
export interface Row {
  readonly digest: string;
  readonly trials: ReadonlyMap<string, readonly Trial[]>;
}

/** Answers a query in the simplest way, without regard to speed. */
export async function naive(
  calls: CallSource,
  rowSource: RowSource,
  project: string,
  query: EvalQuery,
): Promise<EvalResults> {
  const rows = await readRows(calls, project, query.evaluations);
  const resolved = await resolveRows(rowSource, project, rows);
  const rowOf = ({ example }: Trial): Json => {
    const row = rowIdOf(example) === undefined ? undefined : resolved.get(example as string);
    return row === undefined ? example : row;
  };

  const inAll = (row: Row): boolean => query.evaluations.every((id) => row.trials.has(id));
  const matching = rows.filter((row) => matches(query, row, rowOf));
  const view = sort(
    query,
    rows,
    matching.filter((row) => !query.intersect || inAll(row)),
    rowOf,
  );
  const end = query.limit === null ? undefined : query.offset + query.limit;
  const page = query.rows ? view.slice(query.offset, end) : [];

  const warnings = new Set<string>();
  const rawRow = (row: Row): Json => {
    if (!query.rawRows) return null;
    const example = inOrder(query, row).find((trial) => trial.example !== null)?.example ?? null;
    if (!query.resolveRefs || rowIdOf(example) === undefined) return example;
    const value = resolved.get(example as string);
    if (value !== undefined) return value;
    warnings.add(UNRESOLVED_ROWS);
    return example;
  };

  return {
    rows: page.map((row) => rowResponse(query, row, rawRow(row))),
    total_rows: view.length,
    summary: query.summary
      ? await summarize(
          calls,
          project,
          query,
          matching.filter((row) => !query.summaryIntersect || inAll(row)),
        )
      : null,
    warnings: [...warnings],
  };
}

/** The rows of evaluations, by digest, each with its trials in order. */
export async function readRows(
  calls: CallSource,
  project: string,
  evaluations: readonly string[],
): Promise<Row[]> {
  const rows = new Map<string, Map<string, Trial[]>>();
  for (const evaluation of evaluations) {
    const trials: Trial[] = [];
    for await (const batch of calls.trees(project, evaluation)) {
      for (const tree of batch) {
        const trial = evaluations.includes(tree.call.id) ? undefined : readTrialPlainly(tree);
        if (trial !== undefined) trials.push(trial);
      }
    }
    for (const trial of trials.sort(compareTrials)) {
      const row = rows.get(trial.digest) ?? new Map<string, Trial[]>();
      rows.set(trial.digest, row);
      row.set(evaluation, [...(row.get(evaluation) ?? []), trial]);
    }
  }
  return [...rows]
    .map(([digest, trials]) => ({ digest, trials }))
    .sort((a, b) => compareText(a.digest, b.digest));
}

/** The dataset rows that the examples refer to, by reference, without missing ones. */
export async function resolveRows(
  source: RowSource,
  project: string,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, Json>> {
  const examples = rows.flatMap((row) => [...row.trials.values()].flat().map((trial) => trial.example));
  const refs = [...new Set(examples)].filter((example) => rowIdOf(example) !== undefined) as string[];
  const values = await source.rows(project, refs);
  return new Map(refs.flatMap((ref, i) => (values[i] === undefined ? [] : [[ref, values[i]]])));
}

/** A row's trials in request order, then trial order. */
function inOrder(query: EvalQuery, row: Row, evaluation: string | null = null): readonly Trial[] {
  const evaluations =
    evaluation === null ? query.evaluations : query.evaluations.filter((id) => id === evaluation);
  return evaluations.flatMap((id) => row.trials.get(id) ?? []);
}

/** Whether a row passes the query's filters. */
export function matches(query: EvalQuery, row: Row, rowOf: (trial: Trial) => Json): boolean {
  if (query.filters.length === 0) return true;
  const perEvaluation = new Map<string, boolean>();
  for (const { evaluation } of query.filters) {
    for (const id of evaluation === null ? query.evaluations : [evaluation]) {
      const applying = query.filters.filter(
        (filter) => filter.evaluation === null || filter.evaluation === id,
      );
      const trials = query.evaluations.includes(id) ? (row.trials.get(id) ?? []) : [];
      const passes = (trial: Trial): boolean =>
        applying.every(
          ({ expr }) => testQuery(expr, (path) => readField(path, trial, rowOf(trial))) === true,
        );
      perEvaluation.set(id, trials.some(passes));
    }
  }
  const results = [...perEvaluation.values()];
  return query.matchAll ? results.every(Boolean) : results.some(Boolean);
}

/** A row's sort value: numbers before text before missing, in both directions. */
type Key = { readonly number: number } | { readonly text: string } | undefined;

function sort(
  query: EvalQuery,
  all: readonly Row[],
  rows: readonly Row[],
  rowOf: (trial: Trial) => Json,
): Row[] {
  const keys = query.sortBy.map((key) => ({
    descending: key.descending,
    of: sortKey(query, key, all, rowOf),
  }));
  const keyed = rows.map((row) => ({ row, keys: keys.map(({ of }) => of(row)) }));
  keyed.sort((a, b) => {
    for (const [i, { descending }] of keys.entries()) {
      const order = compareKeys(a.keys[i], b.keys[i], descending);
      if (order !== 0) return order;
    }
    return compareText(a.row.digest, b.row.digest);
  });
  return keyed.map(({ row }) => row);
}

function compareKeys(a: Key, b: Key, descending: boolean): number {
  const rank = (key: Key): number => (key === undefined ? 2 : "number" in key ? 0 : 1);
  if (a === undefined || b === undefined || rank(a) !== rank(b)) return rank(a) - rank(b);
  const order =
    "number" in a && "number" in b
      ? Math.sign(a.number - b.number)
      : compareText((a as { text: string }).text, (b as { text: string }).text);
  return descending ? -order : order;
}

function sortKey(
  query: EvalQuery,
  key: SortKey,
  all: readonly Row[],
  rowOf: (trial: Trial) => Json,
): (row: Row) => Key {
  const read = (trial: Trial): Json => readField(key.path, trial, rowOf(trial));
  const mean = (trials: readonly Trial[]): number | undefined => {
    const numbers = trials.map((trial) => asNumber(read(trial))).filter((number) => number !== null);
    return numbers.length === 0 ? undefined : exactMean(numbers);
  };
  const first = (row: Row): Json => {
    const trial = inOrder(query, row, key.evaluation)[0];
    return trial === undefined ? null : read(trial);
  };
  const asKey = (number: number | undefined): Key => (number === undefined ? undefined : { number });
  const textKey = (value: Json): Key => (value === null ? undefined : { text: asText(value)! });

  if (key.difference) {
    return (row) => {
      const means = query.evaluations
        .map((id) => mean(row.trials.get(id) ?? []))
        .filter((number) => number !== undefined);
      return means.length < 2 ? undefined : { number: Math.max(...means) - Math.min(...means) };
    };
  }
  if (key.path[0] === "scores") {
    const numeric = all.some((row) => mean(inOrder(query, row, key.evaluation)) !== undefined);
    return numeric ? (row) => asKey(mean(inOrder(query, row, key.evaluation))) : (row) => textKey(first(row));
  }
  return (row) => {
    const value = first(row);
    return asKey(asNumber(value) ?? undefined) ?? textKey(value);
  };
}

function rowResponse(query: EvalQuery, row: Row, rawRow: Json): EvalResultsRow {
  return {
    row_digest: row.digest,
    raw_data_row: rawRow,
    evaluations: query.evaluations
      .filter((id) => row.trials.has(id))
      .map((id) => ({
        evaluation_call_id: id,
        trials: row.trials.get(id)!.map((trial) => trialResponse(query, trial)),
      })),
  };
}

async function summarize(
  calls: CallSource,
  project: string,
  query: EvalQuery,
  rows: readonly Row[],
): Promise<EvalResultsSummary> {
  const roots = await calls.calls(project, query.evaluations);
  const evaluations: EvalResultsEvaluationSummary[] = [];
  for (const [i, id] of query.evaluations.entries()) {
    const trials = rows.flatMap((row) => row.trials.get(id) ?? []);
    if (trials.length === 0) continue;
    const tokens = trials
      .map((trial) => (query.children ? trial.facts : trial.ownFacts).tokens)
      .filter((count) => count !== null);
    evaluations.push({
      evaluation_call_id: id,
      trial_count: trials.length,
      scorer_stats: scorerStatistics(trials),
      predict_total_tokens: tokens.length === 0 ? null : exactSum(tokens),
      ...summaryMetadata(roots[i]),
    });
  }
  return { row_count: rows.length, evaluations };
}

function scorerStatistics(trials: readonly Trial[]): EvalResultsEvaluationSummary["scorer_stats"] {
  const dimensions = new Map<string, { scorer: string; path: string | null; leaves: ScoreLeaf[] }>();
  for (const trial of trials) {
    for (const [scorer, value] of Object.entries(scoresOf(trial.output))) {
      for (const leaf of scoreLeaves(value)) {
        const path = leaf.keys.length === 0 ? null : printFieldPath(leaf.keys);
        const key = JSON.stringify([scorer, path]);
        const dimension = dimensions.get(key) ?? { scorer, path, leaves: [] };
        dimensions.set(key, dimension);
        dimension.leaves.push(leaf);
      }
    }
  }
  return [...dimensions.values()].map(({ scorer, path, leaves }) => {
    const values = leaves.map((leaf) => leaf.value);
    const numbers = values.filter((value) => typeof value === "number");
    return scorerStats(scorer, path, {
      valueType: VALUE_TYPE[typeof values[0] as keyof typeof VALUE_TYPE],
      trials: values.length,
      numeric: numbers.length,
      mean: exactMean(numbers),
      passTrue: values.filter((value) => value === true).length,
      passKnown: values.filter((value) => typeof value === "boolean").length,
    });
  });
}

const VALUE_TYPE = { boolean: "binary", number: "continuous", string: "text" } as const;

// The workloads in plain loops over plain objects: a slow reference for the check.

import type { Answer, EvaluationSummary } from "../answer.ts";
import type { Dataset, Score, Trial } from "../dataset.ts";
import {
  deepOffset,
  PAGE,
  SORTED_EVALUATION,
  type Turn,
  turnOf,
  WORKLOADS,
  type Workload,
} from "../workloads.ts";
import type { Contender } from "./contender.ts";

/** Answers as docs/reference/semantics.md specifies. Keeps every trial as an object. */
export function plainContender(dataset: Dataset): Contender {
  const rows = new Map<number, Trial[]>();
  for (const trial of dataset.trials()) rows.set(trial.row, [...(rows.get(trial.row) ?? []), trial]);
  const all = [...rows.keys()].sort((a, b) => a - b);

  const { category, numeric } = dataset.questions;
  const numericAt = dataset.dimensions.findIndex((d) => d.column === numeric);
  const every = dataset.evaluations.map((_, e) => e);

  const mean = (values: readonly Score[]) => {
    const known = values.filter((value) => value !== null).map(Number);
    return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
  };
  const meanIn = (row: number, evaluation: number) =>
    mean(rows.get(row)!.flatMap((t) => (t.evaluation === evaluation ? [t.scores[numericAt]!] : [])));
  const difference = (row: number) => {
    const known = every.map((e) => meanIn(row, e)).filter((value) => value !== null);
    return known.length < 2 ? null : Math.max(...known) - Math.min(...known);
  };

  // Missing values last; ties by digest, which is the row number.
  const descending = (key: (row: number) => number | null) => {
    const keys = new Map(all.map((row) => [row, key(row)]));
    return (a: number, b: number) => {
      const [x, y] = [keys.get(a) ?? null, keys.get(b) ?? null];
      if (x === y) return a - b;
      return x === null ? 1 : y === null ? -1 : y - x;
    };
  };
  const bestOf =
    ({ threshold }: Turn) =>
    (row: number) =>
      rows
        .get(row)!
        .some((t) => t.category === category && Number(t.scores[numericAt] ?? Number.NaN) > threshold);

  const page = (ids: readonly number[], offset = 0) => ({
    total: ids.length,
    digests: ids.slice(offset, offset + PAGE).map((row) => dataset.digests[row]!),
  });
  const summary = (ids: readonly number[]) => {
    const trials = ids.flatMap((row) => rows.get(row)!);
    const evaluations = every.flatMap((e): EvaluationSummary[] => {
      const own = trials.filter((t) => t.evaluation === e);
      if (own.length === 0) return [];
      const dimensions = dataset.dimensions.flatMap(({ column, type }, d) => {
        const values = own.map((t) => t.scores[d]!).filter((value) => value !== null);
        if (values.length === 0) return [];
        const passed = type === "binary" ? values.filter((value) => value === true).length : null;
        return [{ column, trials: values.length, passed, mean: type === "continuous" ? mean(values) : null }];
      });
      return [{ evaluation: dataset.evaluations[e]!, trials: own.length, dimensions }];
    });
    return { rows: ids.length, evaluations };
  };
  const pageWithOutputs = (offset: number): Answer => ({
    page: page(all, offset),
    outputs: all.slice(offset, offset + PAGE).flatMap((row) => rows.get(row)!.map((t) => t.output)),
    summary: null,
  });
  const onlyPage = (ids: readonly number[]): Answer => ({ page: page(ids), outputs: null, summary: null });
  const onlySummary = (ids: readonly number[]): Answer => ({
    page: null,
    outputs: null,
    summary: summary(ids),
  });

  const answers: Readonly<Record<Workload, (turn: Turn) => Answer>> = {
    difference: () => onlyPage(all.toSorted(descending(difference))),
    filter: (turn) =>
      onlyPage(all.filter(bestOf(turn)).sort(descending((row) => meanIn(row, SORTED_EVALUATION)))),
    text: ({ needle }) =>
      onlyPage(all.filter((row) => rows.get(row)!.some((t) => t.output.includes(needle)))),
    summary: () => onlySummary(all),
    "summary, filtered": (turn) => onlySummary(all.filter(bestOf(turn))),
    "page, first": () => pageWithOutputs(0),
    "page, deep": () => pageWithOutputs(deepOffset(dataset)),
    everything: (turn) => {
      const inAll = (row: number) => new Set(rows.get(row)!.map((t) => t.evaluation)).size === every.length;
      const kept = all.filter((row) => inAll(row) && bestOf(turn)(row)).sort(descending(difference));
      return { page: page(kept), outputs: null, summary: summary(kept) };
    },
  };
  return {
    name: "plain loops",
    workloads: WORKLOADS,
    answer: async (workload, turn) => answers[workload](turnOf(dataset, turn)),
    close: async () => rows.clear(),
  };
}

// The statistics queries of benchmarks, and the normal form of every contender's answer.

import type { CompareResults, EvalEngine, RankingResults, SlicesResults } from "@assay/eval-engine";
import type { Dataset, Dimension } from "./dataset.ts";

/** A query with the thresholds of its filter, one per turn: it keeps rows with a trial above the threshold. */
export interface Question {
  readonly name: string;
  /** Indexes into the data set's dimensions. */
  readonly measures: "all" | readonly number[];
  readonly slices?: boolean;
  readonly ranking?: boolean;
  /** Minus infinity keeps all rows. */
  readonly turns: readonly number[];
}

/** The workload that reports the longest block of the event loop. */
export const LOOP_HELD = "event loop held at most, all measures";

/** Figures by name: counts, means, differences, and p-values if all contenders have them. */
export type Figures = Readonly<Record<string, number | null>>;

/** The dimensions that a query measures. */
export function measuredBy({ measures }: Question, { dimensions }: Dataset): readonly Dimension[] {
  return measures === "all" ? dimensions : measures.map((d) => dimensions[d]!);
}

const fieldOf = ({ scorer, path }: Dimension): string =>
  ["scores", scorer, path].filter((part) => part !== null).join(".");

/** Queries the engine with the body that a client sends. */
export async function askStatistics(
  engine: EvalEngine,
  dataset: Dataset,
  question: Question,
  threshold: number,
): Promise<Figures> {
  const { project, evaluations, questions, dimensions } = dataset;
  const filtered = fieldOf(dimensions.find(({ column }) => column === questions.numeric)!);
  const query = {
    evaluation_call_ids: evaluations,
    filters: Number.isFinite(threshold)
      ? [{ query: { $expr: { $gt: [{ $getField: filtered }, { $literal: threshold }] } } }]
      : [],
  };
  const fields = measuredBy(question, dataset).map(fieldOf);
  const [baseline, candidate] = [evaluations[0]!, evaluations[1]!];
  if (question.ranking === true)
    return ofRanking(await engine.ranking(project, { query, measure: fields[0]! }), dataset);
  if (question.slices === true) {
    const one = { query, baseline, candidate, measure: fields[0]!, fields: ["inputs.category"] };
    return ofSlices(await engine.slices(project, one), dataset);
  }
  const measures = question.measures === "all" ? null : fields;
  return ofCompare(await engine.compare(project, { query, baseline, measures }), dataset);
}

function ofCompare({ comparisons }: CompareResults, { dimensions }: Dataset): Figures {
  return Object.fromEntries(
    comparisons[0]!.measures.flatMap((measure) => {
      const { column } = dimensions.find((one) => fieldOf(one) === measure.field)!;
      return [
        [`${column} pairs`, measure.pairs],
        [`${column} difference`, measure.difference],
        [`${column} se`, measure.se],
        [`${column} baseline`, measure.baseline.mean],
        [`${column} candidate`, measure.candidate.mean],
        [`${column} correlation`, measure.correlation],
      ];
    }),
  );
}

function ofSlices({ slices }: SlicesResults, { categories }: Dataset): Figures {
  return Object.fromEntries(
    slices.flatMap(({ fields, pairs, difference, baseline_mean, candidate_mean }) => {
      const category = categories.indexOf(String(fields[0]!.value));
      return [
        [`${category} pairs`, pairs],
        [`${category} difference`, difference],
        [`${category} baseline`, baseline_mean],
        [`${category} candidate`, candidate_mean],
      ];
    }),
  );
}

function ofRanking({ pairs }: RankingResults, { evaluations }: Dataset): Figures {
  return Object.fromEntries(
    pairs.map(({ a, b, difference }) => {
      const [i, j] = [evaluations.indexOf(a), evaluations.indexOf(b)];
      return i < j ? [`${i} ${j}`, difference] : [`${j} ${i}`, difference === null ? null : -difference];
    }),
  );
}

/** Throws and names the figure unless all figures are equal up to rounding. */
export function assertSameFigures(actual: Figures, expected: Figures, what: string): void {
  const names = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  for (const name of names) {
    const [a, b] = [actual[name], expected[name]];
    const same = a != null && b != null && Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));
    if (!same) throw new Error(`${what}: ${name} is ${a}, expected ${b}`);
  }
}

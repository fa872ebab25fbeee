// The shape of a trial's scores: their leaves, with types and order. The statistics of the summary follow from the
// number of trials of each shape, and the sums of the leaves.

import type { Json } from "@assay/base";
import { scoresOf } from "@assay/calls/internal";
import { printFieldPath } from "@assay/query-lang/internal";
import { exactMean } from "@assay/statistics/exact";
import type { ScoreLeafType, ShapeCount, TrialCounts } from "../ports/trial-store.ts";
import type { EvalResultsScorerStats } from "../query/response.ts";
import { scoreLeaves, scorerStats } from "../trials/summary.ts";

/** The leaves of a trial's scores in order, from its whole output. */
export function scoreShape(output: Json): ShapeCount["leaves"] {
  return Object.entries(scoresOf(output)).flatMap(([scorer, value]) =>
    scoreLeaves(value, [scorer]).map((leaf) => [leaf.keys, typeof leaf.value as ScoreLeafType] as const),
  );
}

const VALUE_TYPE = { boolean: "binary", number: "continuous", string: "text" } as const;

/** One dimension of the statistics. */
interface Dimension {
  readonly scorer: string;
  readonly path: string | null;
  readonly type: ScoreLeafType;
  readonly counts: { trials: number; numeric: number; passKnown: number };
  /** The leaves that make up the dimension. */
  readonly leaves: Set<string>;
}

/** The statistics of an evaluation, from its counts. */
export function statisticsOf({ shapes, sums }: TrialCounts): readonly EvalResultsScorerStats[] {
  const dimensions = new Map<string, Dimension>();
  for (const { leaves, trials } of shapes) {
    for (const [keys, type] of leaves) {
      const [scorer, ...rest] = keys as [string, ...string[]];
      const path = rest.length === 0 ? null : printFieldPath(rest);
      const name = JSON.stringify([scorer, path]);
      const known = dimensions.get(name);
      const counts = known?.counts ?? { trials: 0, numeric: 0, passKnown: 0 };
      const dimension = known ?? { scorer, path, type, counts, leaves: new Set<string>() };
      dimensions.set(name, dimension);
      dimension.leaves.add(JSON.stringify(keys));
      counts.trials += trials;
      if (type === "number") counts.numeric += trials;
      if (type === "boolean") counts.passKnown += trials;
    }
  }
  return [...dimensions.values()].map(({ scorer, path, type, counts, leaves }) => {
    const found = [...leaves].flatMap((leaf) => sums.get(leaf) ?? []);
    return scorerStats(scorer, path, {
      ...counts,
      valueType: VALUE_TYPE[type],
      mean: exactMean(
        found.flatMap(({ numbers }) => numbers),
        counts.numeric,
      ),
      passTrue: found.reduce((sum, { passTrue }) => sum + passTrue, 0),
    });
  });
}

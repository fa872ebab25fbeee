// Warnings about the comparability of evaluations. They are shown next to a verdict and never replace it.

import type { CallSource } from "@assay/calls";
import { getPath } from "@assay/query-lang";
import { fieldsOf, printFieldPath } from "@assay/query-lang/internal";
import type { Interval } from "@assay/statistics";
import { fieldAt } from "../query/field.ts";
import { fieldText } from "../query/field-text.ts";
import type { EvalQuery } from "../query/request.ts";
import { isSameDataset, refName } from "../trials/ref-name.ts";
import { summaryMetadata } from "../trials/summary.ts";
import type { PairAnalysis } from "./comparison.ts";
import type { Side } from "./differences/side.ts";
import type { Measure } from "./measure.ts";
import type { SelectedEvaluation, SelectedRows } from "./rows/selected-rows.ts";
import { type Presence, sharedRows } from "./rows/shared-rows.ts";
import type { MeasureSide, StatisticsWarning } from "./wire/response.ts";

type Code = StatisticsWarning["code"];

function warning(
  code: Code,
  evaluations: readonly string[],
  count: number | null,
  text: string,
): StatisticsWarning {
  return { code, text, evaluations, count };
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Warnings about the rows, and about single evaluations. */
export function selectionWarnings(
  { evaluations, length }: SelectedRows,
  { filters }: EvalQuery,
): StatisticsWarning[] {
  // Rows where one evaluation did badly are those where another does better, even if both are equally good.
  const read = filters
    .flatMap(({ expr }) => fieldsOf(expr))
    .filter((path) => fieldAt(path).domain === "trials");
  const names = [...new Set(read.map((path) => fieldText(printFieldPath(path))))].join(", ");
  const biased = `rows are selected by ${names}: the selection by itself may make one evaluation look better`;
  const ofRows = names === "" ? [] : [warning("selected_by_results", [], null, biased)];
  const ofEvaluations = evaluations.flatMap((evaluation) => {
    const { id, root, places, repeated } = evaluation;
    const found: StatisticsWarning[] = [];
    if (places.every((place) => place === -1))
      found.push(warning("no_rows", [id], 0, `${id} has none of the ${counted(length, "selected row")}`));
    if (root !== undefined && root.ended_at === null)
      found.push(warning("still_running", [id], null, `${id} is still running: its numbers will change`));
    let again = 0;
    if (repeated.size > 0) for (const place of places) again += repeated.get(place) ?? 0;
    if (again > 0)
      found.push(
        warning(
          "duplicate_trials",
          [id],
          again,
          `${counted(again, "trial")} of ${id} duplicate another trial of the same row: equal output and start time`,
        ),
      );
    return found;
  });
  return [...ofRows, ...ofEvaluations];
}

/** The scorers of each evaluation: by score, the op and the object of the scorer call. */
export type Scorers = readonly ReadonlyMap<string, string>[];

/** Looks up the scorers of evaluations from a sample of their scorer calls. */
export async function scorersOf(
  calls: Pick<CallSource, "calls">,
  project: string,
  { evaluations }: SelectedRows,
): Promise<Scorers> {
  const ids = [...new Set(evaluations.flatMap(({ scorerCallIds }) => Object.values(scorerCallIds)))];
  if (ids.length === 0) return evaluations.map(() => new Map());
  const found = await calls.calls(project, ids);
  const byId = new Map(ids.map((id, i) => [id, found[i]]));
  return evaluations.map(
    ({ scorerCallIds }) =>
      new Map(
        Object.entries(scorerCallIds).flatMap(([key, id]) => {
          const call = byId.get(id);
          if (call === undefined) return [];
          const self = getPath(call.inputs, ["self"]);
          return [[key, JSON.stringify([call.op_name, typeof self === "string" ? self : null])] as const];
        }),
      ),
  );
}

/** Facts about evaluations that do not depend on the measure. */
export interface PairFacts {
  readonly evaluations: readonly SelectedEvaluation[];
  readonly scorers: Scorers;
  readonly presence: Presence;
}

/** Warnings about two evaluations that do not depend on the measure. */
export function pairWarnings(
  { evaluations, scorers, presence }: PairFacts,
  baseline: number,
  candidate: number,
): StatisticsWarning[] {
  const [a, b] = [evaluations[baseline]!, evaluations[candidate]!];
  const ids = [a.id, b.id];
  const found: StatisticsWarning[] = [];
  if (a.dataset !== null && b.dataset !== null && !isSameDataset(a.dataset, b.dataset))
    found.push(
      warning(
        "different_datasets",
        ids,
        null,
        `the evaluations use different datasets: ${refName(a.dataset)} and ${refName(b.dataset)}`,
      ),
    );
  const { both, onlyBaseline, onlyCandidate } = sharedRows(presence, baseline, candidate);
  const unshared = onlyBaseline + onlyCandidate;
  if (unshared > 0)
    found.push(
      warning(
        "rows_not_shared",
        ids,
        unshared,
        both === 0
          ? "the evaluations share no rows, so they are compared as independent samples"
          : `not compared: ${counted(unshared, "selected row")} in only one of them`,
      ),
    );
  const differing = [...scorers[baseline]!].filter(([key, scorer]) => {
    const other = scorers[candidate]!.get(key);
    return other !== undefined && other !== scorer;
  });
  if (differing.length > 0)
    found.push(
      warning(
        "different_scorers",
        ids,
        differing.length,
        `different scorers, or different versions of one: ${differing.map(([key]) => key).join(", ")}`,
      ),
    );
  const [trialsA, trialsB] = [presence.of[baseline]!.medianTrials, presence.of[candidate]!.medianTrials];
  if (trialsA !== undefined && trialsB !== undefined && trialsA !== trialsB)
    found.push(warning("different_trials", ids, null, `${trialsA} and ${trialsB} trials per row (median)`));
  const [modelA, modelB] = [a, b].map(({ root }) => summaryMetadata(root).model_ref);
  if (modelA != null && modelA === modelB)
    found.push(
      warning(
        "same_model",
        ids,
        null,
        `both ran the same model, ${refName(modelA)}: differences come from its prompt or settings, the scorers, or chance`,
      ),
    );
  return found;
}

const FEW_ROWS = 30;
const OF_MANY_ROWS: ReadonlySet<Interval["method"]> = new Set(["t", "bootstrap_bca", "confidence_sequence"]);
const FEW_CLUSTERS = 30;

/** Whether an interval of a mean may be too narrow because it is based on few rows. */
export function hasFewRows(interval: Interval | null, rows: number): boolean {
  return interval !== null && OF_MANY_ROWS.has(interval.method) && rows < FEW_ROWS;
}

type Clusters = Pick<Side, "clusters" | "effectiveClusters">;

/** Whether there are too few clusters to estimate their variance, or a few have most of the rows. */
export function hasFewClusters({ effectiveClusters: worth }: Pick<Clusters, "effectiveClusters">): boolean {
  return worth !== undefined && worth < FEW_CLUSTERS;
}

const fewClusters = (of: readonly Clusters[]): string => {
  const clusters = of.flatMap((one) => one.clusters ?? []);
  const [least, most] = [Math.min(...clusters), Math.max(...clusters)];
  const count = least === most ? counted(least, "cluster") : `${least} to ${counted(most, "cluster")}`;
  const worth = Math.round(Math.min(...of.flatMap((one) => one.effectiveClusters ?? [])));
  const unequal = worth < least ? ` of unequal size, worth ${worth} of equal size` : "";
  return `${count}${unequal}: with fewer than ${FEW_CLUSTERS}, intervals are wide and may still be too narrow when clusters differ much`;
};

/** Warnings about the measures of two evaluations. */
export function analysisWarnings(
  ids: readonly [string, string],
  analyses: readonly PairAnalysis[],
): StatisticsWarning[] {
  const found: StatisticsWarning[] = [];
  const few = analyses.filter(({ difference }) => hasFewRows(difference.interval, difference.rows));
  if (few.length > 0) {
    const rows = Math.min(...few.map(({ difference }) => difference.rows));
    found.push(
      warning(
        "few_rows",
        ids,
        rows,
        `fewer than ${FEW_ROWS} rows: intervals of ${measuresIn(few)} may be too narrow`,
      ),
    );
  }
  const skewed = analyses.filter(
    ({ difference, sides }) => difference.skewed || sides.some((side) => side.skewed),
  );
  if (skewed.length > 0) found.push(warning("skewed", ids, skewed.length, tooSkewed(measuresIn(skewed))));
  const differences = analyses.map(({ difference }) => difference);
  if (differences.some(hasFewClusters)) {
    const clusters = Math.min(...differences.flatMap((of) => of.clusters ?? []));
    found.push(warning("few_clusters", ids, clusters, fewClusters(differences)));
  }
  const constant = analyses.filter(
    ({ difference }) => difference.variance === 0 && difference.interval === null,
  );
  if (constant.length > 0)
    found.push(
      warning(
        "no_variation",
        ids,
        constant.length,
        `every row has the same difference, so its spread is unknown: ${measuresIn(constant)}`,
      ),
    );
  return [...found, ...unevenWarnings(ids, analyses)];
}

/** Warns about scores that one evaluation lacks in more rows than the other. */
function unevenWarnings(
  ids: readonly [string, string],
  analyses: readonly PairAnalysis[],
): StatisticsWarning[] {
  // Rows that failed have no score at all: scores that are missing in as many rows share a warning.
  const found = new Map<
    string,
    { readonly id: string; readonly missing: number; readonly fields: string[] }
  >();
  for (const { measure, sides } of analyses) {
    const [a, b] = sides.map(({ answer }) => answer) as [MeasureSide, MeasureSide];
    for (const [side, other, id] of [
      [a, b, ids[0]],
      [b, a, ids[1]],
    ] as const) {
      if (!missesMore(side, other)) continue;
      const { missing } = side;
      const rows = `${missing} of ${counted(missing + side.rows, "row")} of ${id} and ${other.missing} of ${other.missing + other.rows} of the other`;
      if (!found.has(rows)) found.set(rows, { id, missing, fields: [] });
      found.get(rows)!.fields.push(fieldText(measure.field));
    }
  }
  return Array.from(found, ([rows, { id, missing, fields }]) =>
    warning(
      "missing_uneven",
      [id],
      missing,
      `${fields.join(", ")}: missing in ${rows}, so failed rows may have been excluded`,
    ),
  );
}

const tooSkewed = (fields: string): string =>
  `a few rows dominate ${fields}, so intervals may be too narrow: add rows`;

const measuresIn = (analyses: readonly PairAnalysis[]): string =>
  analyses.map(({ measure }) => fieldText(measure.field)).join(", ");

/** Whether one side misses more than 1% of its rows, and more than twice the other's share. */
function missesMore(side: MeasureSide, other: MeasureSide): boolean {
  const share = ({ missing, rows }: MeasureSide): number => (missing === 0 ? 0 : missing / (missing + rows));
  return share(side) > 0.01 && share(side) > 2 * share(other);
}

/** Warnings about single evaluations at one measure. */
export function sideWarnings(
  ids: readonly string[],
  field: string,
  sides: readonly Pick<Side, "answer" | keyof Clusters | "skewed">[],
): StatisticsWarning[] {
  const found: StatisticsWarning[] = [];
  const which = (holds: (side: (typeof sides)[number]) => boolean): string[] =>
    ids.filter((_, e) => holds(sides[e]!));
  const few = which(({ answer }) => hasFewRows(answer.interval, answer.rows));
  if (few.length > 0)
    found.push(
      warning("few_rows", few, few.length, `fewer than ${FEW_ROWS} rows: their intervals may be too narrow`),
    );
  const skewed = which((side) => side.skewed);
  if (skewed.length > 0) found.push(warning("skewed", skewed, skewed.length, tooSkewed(fieldText(field))));
  const ofFew = which(hasFewClusters);
  if (ofFew.length > 0) found.push(warning("few_clusters", ofFew, ofFew.length, fewClusters(sides)));
  return [...found, ...variationWarnings(ids, [{ field, sides }])];
}

/** Warns about evaluations all of whose rows have the same value of a measure, so that its spread is unknown. */
export function variationWarnings(
  ids: readonly string[],
  measures: readonly { readonly field: string; readonly sides: readonly Pick<Side, "answer">[] }[],
): StatisticsWarning[] {
  // Measures that are constant in the same evaluations share a warning.
  const found = new Map<string, { readonly constant: readonly string[]; readonly fields: string[] }>();
  for (const { field, sides } of measures) {
    const constant = ids.filter((_, e) => sides[e]!.answer.sd === 0 && sides[e]!.answer.interval === null);
    const key = JSON.stringify(constant);
    if (!found.has(key)) found.set(key, { constant, fields: [] });
    found.get(key)!.fields.push(fieldText(field));
  }
  return [...found.values()].flatMap(({ constant, fields }) =>
    constant.length === 0
      ? []
      : [warning("no_variation", constant, constant.length, `every row has the same ${fields.join(", ")}`)],
  );
}

/** Warns about rows without a cluster, each of which counts as a separate cluster. */
export function clusterWarning(field: string, without: number, rows: number): StatisticsWarning[] {
  if (without === 0) return [];
  return [
    warning(
      "no_cluster",
      [],
      without,
      `${without} of ${counted(rows, "selected row")} have no ${fieldText(field)}: each counts as its own cluster`,
    ),
  ];
}

/** Warns that trials have no score to compare: their scores may be texts, as in tables without types. */
export function measureWarning({ evaluations }: SelectedRows): StatisticsWarning[] {
  if (!evaluations.some(({ hasTrials }) => hasTrials)) return [];
  const text =
    'no score is a number or a boolean, so nothing can be compared; texts such as "1" and "true" do not count';
  return [warning("unmet_type", [], null, text)];
}

/** Warns about measures without a direction: their difference is shown without a verdict. */
export function directionWarning(
  measures: readonly Pick<Measure, "field" | "direction" | "directionSource">[],
): StatisticsWarning[] {
  // A measure explicitly set to no direction needs no warning.
  const open = measures.filter(
    ({ direction, directionSource }) => direction === null && directionSource === null,
  );
  if (open.length === 0) return [];
  const fields = open.map(({ field }) => fieldText(field)).join(", ");
  const text = `no direction for ${fields}, so no verdict: set whether higher or lower is better`;
  return [warning("no_direction", [], open.length, text)];
}

/** Warnings about names and literals of a question that match nothing. */
export function unmetWarnings(
  notes: readonly { readonly about: string; readonly message: string }[],
): StatisticsWarning[] {
  return notes.map(({ about, message }) =>
    warning(about === "type" ? "unmet_type" : "unknown_field", [], null, message),
  );
}

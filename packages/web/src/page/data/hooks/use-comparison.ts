// Loads the data of a comparison: a summary, rows, a verdict and further facts, in the order in which a reader needs
// them.

import type { CompareResults, EvalResults, MeasureComparison } from "@assay/eval-engine";
import type { MeasureKind } from "@assay/eval-engine/words";
import { useMemo } from "preact/hooks";
import type { Directions } from "../../format/change-tone.ts";
import { columnsOf, type NamedEvaluation, namedEvaluations } from "../../format/evaluation-names.ts";
import { useApp } from "../../state/app.tsx";
import type { ListedEvaluation, PageRow } from "../answers.ts";
import { byVerdict, focusOf, kindOf, scoreFields } from "../measures.ts";
import { type Chosen, compareBody, factsBody, measureOf, pageBody, queryOf } from "../questions.ts";
import { usePrevious } from "./use-previous.ts";
import { type QueryState, useQuery } from "./use-query.ts";
import { type Rows, useRows } from "./use-rows.ts";

/** The data of a comparison, as far as it is loaded. */
export interface ComparisonData {
  /** The compared evaluations, with names. */
  readonly evaluations: readonly NamedEvaluation[];
  /** Those of them that are shown side by side. */
  readonly columns: readonly NamedEvaluation[];
  /** The numeric and boolean leaves of scores, in an order that does not change with the focus. */
  readonly fields: readonly string[];
  /** The field in focus. */
  readonly focus: string | undefined;
  /** The kind of its values. */
  readonly kind: MeasureKind;
  /** The measure of the focus. */
  readonly measure: ReturnType<typeof measureOf> | undefined;
  /** The question that the rows answer. */
  readonly question: ReturnType<typeof pageBody>;
  readonly rows: Rows;
  /** The key of the rows; undefined until their order can be requested. */
  readonly rowsKey: string | undefined;
  /** The number of rows. */
  readonly total: number;
  readonly summary: QueryState<EvalResults>;
  /** The verdicts of scores. */
  readonly compared: QueryState<CompareResults>;
  /** The same with latency and tokens. */
  readonly all: CompareResults | undefined;
  /** The measures of the candidate, the focus first. */
  readonly measures: readonly MeasureComparison[];
  readonly directions: Directions;
  /** The choice that the rows belong to, which stays with them while the next rows load. */
  readonly shown: Pick<Chosen, "baseline" | "candidate"> & Pick<ComparisonData, "columns" | "focus">;
  /** Why the last question was not answered. */
  readonly error: Error | undefined;
}

/** Loads the data of a comparison. */
export function useComparison(chosen: Chosen, listed: readonly ListedEvaluation[]): ComparisonData {
  const { api, refresh } = useApp();
  const { place, baseline, candidate } = chosen;
  const { project } = place;
  const evaluations = useMemo(
    () => namedEvaluations(chosen.evaluations, listed),
    [chosen.evaluations.join(" "), listed],
  );
  const columns = useMemo(
    () => columnsOf(evaluations, { baseline, candidate }),
    [evaluations, baseline, candidate],
  );
  const summaryKey = JSON.stringify([project, queryOf(chosen), refresh.value]);
  const summary = useQuery(summaryKey, (signal) =>
    api.query(project, { ...queryOf(chosen), include_rows: false, include_summary: true }, signal),
  );
  const fields = useMemo(() => scoreFields(summary.value?.summary), [summary.value]);
  // The scores of the previous question do not show whether this one's exist.
  const focus = summary.of === summaryKey ? focusOf(place, fields) : (place.measure ?? fields[0]);
  const kind = focus === undefined ? null : kindOf(summary.value?.summary, focus);
  const measure = focus === undefined ? undefined : measureOf(place, focus);
  const question = useMemo(() => pageBody(chosen, measure, 0), [chosen, focus]);
  // The order needs the measures, so rows wait until they are known.
  const rowsKey = summary.value === undefined ? undefined : JSON.stringify([question, refresh.value]);
  const rows = useRows(rowsKey, (page, signal) => api.page(project, pageBody(chosen, measure, page), signal));
  // After the rows, which take a tenth of the time.
  const isKnown = place.lower.length === 0 || summary.value !== undefined;
  const body = baseline === undefined || !isKnown ? undefined : compareBody(chosen, fields);
  const comparedKey = body && JSON.stringify([project, body, refresh.value]);
  const compared = useQuery(comparedKey, (signal) => api.compare(project, body!, signal));
  const shown = usePrevious({ columns, baseline, candidate, focus }, rows.of === rowsKey);
  // After the verdict and the rows, which it would delay.
  const isTurn = body !== undefined && compared.of === comparedKey && rows.of === rowsKey;
  const factsAsked = isTurn ? factsBody(chosen, rows.latest?.measures ?? []) : undefined;
  const factsKey = factsAsked && JSON.stringify(["facts", project, factsAsked, refresh.value]);
  const facts = useQuery(factsKey, (signal) => api.compare(project, factsAsked!, signal));
  const all = useMemo(() => together(compared.value, facts.value), [compared.value, facts.value]);
  const directions: Directions = useMemo(
    () => new Map(measuresOf(all, candidate).map(({ field, direction }) => [field, direction])),
    [all, candidate],
  );
  const measures = useMemo(() => byVerdict(measuresOf(all, candidate), focus), [all, candidate, focus]);
  const total = rows.latest?.total_rows ?? 0;
  const error = rows.error ?? compared.error ?? summary.error;
  return {
    ...{ evaluations, columns, fields, focus, kind, measure, question, rows, rowsKey, total },
    ...{ summary, compared, all, measures, directions, shown, error },
  };
}

/** The comparisons of scores and of latency and tokens combined. Measures that neither of a pair has are left out. */
function together(
  scores: CompareResults | undefined,
  facts: CompareResults | undefined,
): CompareResults | undefined {
  if (scores === undefined || facts === undefined) return scores;
  return {
    ...scores,
    comparisons: scores.comparisons.map(({ candidate, measures }) => ({
      candidate,
      measures: [
        ...measures,
        ...measuresOf(facts, candidate).filter(
          ({ baseline, candidate: other }) => baseline.rows > 0 || other.rows > 0,
        ),
      ],
    })),
  };
}

function measuresOf(compared: CompareResults | undefined, candidate: string): readonly MeasureComparison[] {
  return compared?.comparisons.find((one) => one.candidate === candidate)?.measures ?? [];
}

/** Whether the candidate differs from the baseline on a row; undefined if the row is not loaded. */
export function disagreement(
  row: PageRow | undefined,
  { candidate }: Chosen,
  measures: readonly string[],
  focus: string | undefined,
): boolean | undefined {
  if (row === undefined || focus === undefined) return undefined;
  const cell = row.evaluations.find(({ evaluation_call_id: id }) => id === candidate);
  const difference = cell?.differences?.[measures.indexOf(focus)];
  return difference != null && difference !== 0;
}

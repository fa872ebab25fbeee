// A comparison on the command line as a request: its options, which of them can be combined, and the body.

import type { EvalResultsQueryBody } from "@assay/eval-engine";
import { EXIT, Failure } from "../terminal/failure.ts";

/** How to compare evaluations, as given on the command line. The engine decides about undefined members. */
export interface ComparisonOptions {
  /** Names of measures; empty for all scores. */
  readonly measures: readonly string[];
  /** Conditions on rows, all of which must hold; one that starts with `NAME:` applies only to that evaluation. */
  readonly where: readonly string[];
  /** Names of measures where lower is better, overriding the project. */
  readonly lower: readonly string[];
  /** Names of measures where higher is better. */
  readonly higher: readonly string[];
  readonly margin?: number | undefined;
  readonly level?: number | undefined;
  readonly clusterBy?: string | undefined;
  readonly missing?: "exclude" | "fail" | undefined;
  readonly reduce?: string | undefined;
  /** Undefined for the default: while an evaluation runs. */
  readonly anytime?: boolean | undefined;
  readonly interval?: "auto" | "bootstrap" | undefined;
  /** Fields of the row to slice by; empty for all possible ones, undefined for no slices. */
  readonly slices?: readonly string[] | undefined;
  readonly depth?: 1 | 2 | undefined;
  readonly ranking: boolean;
}

/** Fails if options of different requests were combined. */
export function checkCombination(options: ComparisonOptions): void {
  const { slices, ranking } = options;
  if (slices !== undefined && ranking)
    throw new Failure(EXIT.usage, "--slices and --ranking cannot be combined: run them one after the other");
  const kind = ranking ? "--ranking" : slices !== undefined ? "--slices" : undefined;
  const stray = (
    [
      ["--cluster-by", slices !== undefined && options.clusterBy !== undefined],
      ["--margin", ranking && options.margin !== undefined],
      ["--anytime", kind !== undefined && options.anytime === true],
      ["--no-anytime", kind !== undefined && options.anytime === false],
      ["--interval", kind !== undefined && options.interval !== undefined],
      ["--depth", slices === undefined && options.depth !== undefined],
    ] as const
  ).find(([, given]) => given);
  if (stray !== undefined)
    throw new Failure(
      EXIT.usage,
      `${stray[0]} cannot be combined with ${kind ?? "a comparison without --slices"}`,
    );
  if (kind !== undefined && options.measures.length > 1)
    throw new Failure(EXIT.usage, `${kind} takes one measure: give --measure once`);
}

/** Evaluations, the baseline first, and which of their rows. */
export interface EvaluationSelection extends Pick<EvalResultsQueryBody, "filters" | "filter_logic_operator"> {
  readonly evaluation_call_ids: readonly string[];
}

/** The measures of a request, by their fields. */
export interface RequestedMeasures {
  /** The named measures; empty for all scores. */
  readonly named: readonly string[];
  /** The directions that the request sets. */
  readonly directions: ReadonlyMap<string, "lower" | "higher">;
  /** All scores. */
  readonly scores: readonly string[];
}

/** The body of a comparison. */
export function compareBody(
  query: EvaluationSelection,
  { named, directions, scores }: RequestedMeasures,
  options: ComparisonOptions,
): object {
  const { level, missing, margin, reduce, clusterBy: cluster_by, interval, anytime } = options;
  const fields = named.length > 0 || directions.size === 0 ? named : scores;
  return {
    ...{ query, baseline: query.evaluation_call_ids[0]! },
    ...(fields.length > 0 && { measures: fields.map((field) => measureOf(field, directions)) }),
    // Setting the direction of a measure does not restrict the request to it.
    ...(named.length === 0 && fields.length > 0 && { adjustment: "bh" }),
    ...{ level, missing, margin, reduce, cluster_by, interval, anytime },
  };
}

/** The body of slices of the first two evaluations at one measure. */
export function slicesBody(query: EvaluationSelection, measure: object, options: ComparisonOptions): object {
  const [baseline, candidate] = query.evaluation_call_ids as readonly [string, string];
  const { level, missing, margin, slices = [], depth } = options;
  const fields = slices.length > 0 ? slices : undefined;
  return { query, baseline, candidate, measure, level, missing, margin, fields, depth };
}

/** The body of a ranking by one measure. */
export function rankingBody(query: EvaluationSelection, measure: object, options: ComparisonOptions): object {
  const { level, missing, clusterBy: cluster_by } = options;
  return { query, measure, level, missing, cluster_by };
}

/** A measure in a request. */
export function measureOf(
  field: string,
  directions: RequestedMeasures["directions"],
  reduce?: string,
): object {
  return { field, direction: directions.get(field), reduce };
}

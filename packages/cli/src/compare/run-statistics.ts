// Runs the statistics of a request and turns the answers into sentences, a report for CI, and the verdicts that a gate
// stops.

import { ok, type Result } from "@assay/base";
import type { EvalResultsScorerStats, MeasureComparison } from "@assay/eval-engine";
import { measureName, type SideNames, verdictSentence } from "@assay/eval-engine/words";
import type { DataAccess } from "@assay/server/internal";
import { kindOf } from "../query/score-measures.ts";
import { compareReport } from "../report/compare-report.ts";
import { failsGate, type Gate, nothingJudged, unjudgedReason } from "../report/gate.ts";
import type { JunitCase, JunitSuite } from "../report/junit.ts";
import { rankingReport } from "../report/ranking-report.ts";
import { notesOf, type Report } from "../report/report.ts";
import { type SlicesReportOptions, sliceSentence, slicesReport } from "../report/slices-report.ts";
import {
  type ComparisonOptions,
  compareBody,
  type EvaluationSelection,
  measureOf,
  type RequestedMeasures,
  rankingBody,
  slicesBody,
} from "./request.ts";

/** What to compute, with its evaluations. */
export interface StatisticsRequest {
  readonly project: string;
  readonly query: EvaluationSelection;
  /** Their names. */
  readonly labels: ReadonlyMap<string, string>;
  readonly stats: readonly EvalResultsScorerStats[];
  readonly measures: RequestedMeasures;
  /** The measure of a request about one, and of the first sentence for others. */
  readonly headline: string;
  readonly options: ComparisonOptions;
  /** The gate; without one, the CI report still fails what regressed. */
  readonly gate: Gate | undefined;
  /** How the evaluations were chosen, if none were named. */
  readonly notes: readonly string[];
}

/** A result, for all kinds of reports. */
export interface StatisticsResult {
  /** The engine's answer. */
  readonly json: unknown;
  /** How the evaluations were chosen, which the engine's answer does not contain but reports do. */
  readonly notes: readonly string[];
  /** The answer in words, with intervals this wide, and tables with this many slices. */
  report(drawing: number, slices: number): Report;
  readonly suites: readonly JunitSuite[];
  /** A sentence for each verdict that fails the gate. */
  readonly stopped: readonly string[];
}

/** The contribution of one kind of statistics to a result. */
type Outcome = Pick<StatisticsResult, "json" | "report" | "suites">;

/** The default confidence level. */
const LEVEL = 0.95;

/** Computes what the options request. Returns the issues of the request. */
export async function runStatistics(
  data: DataAccess,
  request: StatisticsRequest,
): Promise<Result<StatisticsResult>> {
  const answer = await runRequest(data, request);
  if (!answer.ok) return answer;
  const { notes, gate } = request;
  const { json, report, suites } = answer.value;
  const empty = suites.map((suite) => (gate === undefined ? [] : nothingJudged(gate, suite)));
  const failed = empty.flat().map(({ name, text }) => `${name} fails: ${text}`);
  const withNotes = <T extends Pick<Report, "notes">>(of: T, ...more: readonly string[]): T => ({
    ...of,
    notes: [...notes, ...more, ...of.notes],
  });
  const gated = suites.map((suite, i) => ({ ...withNotes(suite), cases: [...suite.cases, ...empty[i]!] }));
  return ok({
    json,
    notes,
    report: (drawing, slices) => withNotes(report(drawing, slices), ...failed),
    suites: gated,
    stopped: gated.flatMap(({ cases }) =>
      cases.flatMap(({ failure, text }) => (failure === undefined ? [] : [text])),
    ),
  });
}

function runRequest(data: DataAccess, request: StatisticsRequest): Promise<Result<Outcome>> {
  if (request.options.ranking) return runRanking(data, request);
  return request.options.slices === undefined ? runComparison(data, request) : runSlices(data, request);
}

async function runComparison(data: DataAccess, request: StatisticsRequest): Promise<Result<Outcome>> {
  const { project, query, labels, headline, options, gate } = request;
  const answer = await data.statistics("compare", project, compareBody(query, request.measures, options));
  if (!answer.ok) return answer;
  const { comparisons, baseline, level, warnings } = answer.value;
  const notes = notesOf(warnings, labels);
  const suites = comparisons.map(({ candidate, measures }): JunitSuite => {
    const names = namesOf(labels, baseline, candidate);
    return {
      name: suiteName(names),
      notes,
      cases: measures.map((of) => measureCase(names, of, level, gate)),
    };
  });
  return ok({
    json: answer.value,
    report: (drawing) => compareReport(answer.value, { labels, drawing, headline }),
    suites,
  });
}

async function runSlices(data: DataAccess, request: StatisticsRequest): Promise<Result<Outcome>> {
  const { project, query, labels, options, gate } = request;
  const answer = await data.statistics("slices", project, slicesBody(query, oneMeasure(request), options));
  if (!answer.ok) return answer;
  const { whole, slices, warnings } = answer.value;
  const [baseline, candidate] = query.evaluation_call_ids as readonly [string, string];
  const names = namesOf(labels, baseline, candidate);
  const level = options.level ?? LEVEL;
  const look: Omit<SlicesReportOptions, "drawing" | "most"> = {
    ...{ labels, baseline, candidate, level },
    isNamed: (options.slices ?? []).length > 0,
  };
  const suite: JunitSuite = {
    name: suiteName(names),
    notes: notesOf(warnings, labels),
    cases: [
      measureCase(names, whole, level, gate),
      ...slices
        .filter(({ interval }) => interval !== null)
        .map((slice): JunitCase => {
          const text = sliceSentence(names, whole, slice, level);
          return {
            name: text.name,
            text: text.sentence,
            // Most slices are too small to be conclusive, which the whole comparison covers.
            failure: failsGate("regressed", slice.verdict) ? slice.verdict : undefined,
            skipped: unjudgedReason(slice),
          };
        }),
    ],
  };
  return ok({
    json: answer.value,
    report: (drawing, most) => slicesReport(answer.value, { ...look, drawing, most }),
    suites: [suite],
  });
}

async function runRanking(data: DataAccess, request: StatisticsRequest): Promise<Result<Outcome>> {
  const { project, query, labels, stats, headline, options } = request;
  const answer = await data.statistics("ranking", project, rankingBody(query, oneMeasure(request), options));
  if (!answer.ok) return answer;
  const look = {
    labels,
    field: headline,
    kind: kindOf(headline, stats),
    level: options.level ?? LEVEL,
  };
  return ok({
    json: answer.value,
    report: (drawing) => rankingReport(answer.value, { ...look, drawing }),
    suites: [],
  });
}

function measureCase(
  names: SideNames,
  of: MeasureComparison,
  level: number,
  gate: Gate = "regressed",
): JunitCase {
  return {
    name: measureName(of.field),
    text: verdictSentence(names, of, level),
    failure: failsGate(gate, of.verdict) ? of.verdict : undefined,
    skipped: unjudgedReason(of),
  };
}

function oneMeasure({ headline, measures, options }: StatisticsRequest): object {
  return measureOf(headline, measures.directions, options.reduce);
}

function namesOf(labels: ReadonlyMap<string, string>, baseline: string, candidate: string): SideNames {
  return { baseline: labels.get(baseline) ?? baseline, candidate: labels.get(candidate) ?? candidate };
}

function suiteName({ baseline, candidate }: SideNames): string {
  return `${candidate} against ${baseline}`;
}

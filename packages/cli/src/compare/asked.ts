// Asks for statistics and turns the answers into sentences, a report for CI, and the verdicts that a gate stops.

import { ok, type Result } from "@assay/base";
import type { EvalResultsScorerStats } from "@assay/eval-engine";
import { measureName, type SideNames, verdictSentence } from "@assay/eval-engine/words";
import type { DataAccess } from "@assay/server/internal";
import { compareReport } from "./compare-report.ts";
import { type Gate, stops, stopsSlice } from "./gate.ts";
import type { JunitCase, JunitSuite } from "./junit.ts";
import {
  type AskedMeasures,
  type ComparisonOptions,
  compareBody,
  measureOf,
  rankingBody,
  slicesBody,
} from "./question.ts";
import { rankingReport } from "./ranking-report.ts";
import { notesOf, type Report } from "./report.ts";
import { kindOf } from "./score-measures.ts";
import { type SlicesReportOptions, sliceSentence, slicesReport } from "./slices-report.ts";

/** The question, with its evaluations. */
export interface Asked {
  readonly project: string;
  /** The baseline first. */
  readonly evaluations: readonly string[];
  /** Their names. */
  readonly labels: ReadonlyMap<string, string>;
  readonly stats: readonly EvalResultsScorerStats[];
  readonly measures: AskedMeasures;
  /** The measure of a question about one, and of the first sentence for others. */
  readonly headline: string;
  readonly options: ComparisonOptions;
  /** The gate that fails a case of the CI report. */
  readonly gate: Gate;
  /** How the evaluations were chosen, if none were named. */
  readonly notes: readonly string[];
}

/** An answer, for all kinds of reports. */
export interface Answered {
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

type Unnoted = Omit<Answered, "notes">;

/** The default confidence level. */
const LEVEL = 0.95;

/** Asks the question in the options. Returns its issues. */
export async function ask(data: DataAccess, asked: Asked): Promise<Result<Answered>> {
  const answer = await askQuestion(data, asked);
  if (!answer.ok) return answer;
  const { notes } = asked;
  const { report, suites } = answer.value;
  const noted = <T extends Pick<Report, "notes">>(of: T): T => ({ ...of, notes: [...notes, ...of.notes] });
  return ok({
    ...answer.value,
    notes,
    report: (drawing, slices) => noted(report(drawing, slices)),
    suites: suites.map(noted),
  });
}

function askQuestion(data: DataAccess, asked: Asked): Promise<Result<Unnoted>> {
  if (asked.options.ranking) return askRanking(data, asked);
  return asked.options.slices === undefined ? askComparison(data, asked) : askSlices(data, asked);
}

async function askComparison(data: DataAccess, asked: Asked): Promise<Result<Unnoted>> {
  const { project, evaluations, labels, headline, options, gate } = asked;
  const answer = await data.statistics("compare", project, compareBody(evaluations, asked.measures, options));
  if (!answer.ok) return answer;
  const { comparisons, baseline, level, warnings } = answer.value;
  const notes = notesOf(warnings, labels);
  const suites = comparisons.map(({ candidate, measures }): JunitSuite => {
    const names = namesOf(labels, baseline, candidate);
    return {
      name: suiteName(names),
      notes,
      cases: measures.map(
        (of): JunitCase => ({
          name: measureName(of.field),
          text: verdictSentence(names, of, level),
          failure: stops(gate, of.verdict) ? of.verdict : undefined,
          skipped: of.verdict === "no_direction",
        }),
      ),
    };
  });
  return ok({
    json: answer.value,
    report: (drawing) => compareReport(answer.value, { labels, drawing, headline }),
    suites,
    stopped: stoppedOf(suites),
  });
}

async function askSlices(data: DataAccess, asked: Asked): Promise<Result<Unnoted>> {
  const { project, evaluations, labels, options, gate } = asked;
  const answer = await data.statistics(
    "slices",
    project,
    slicesBody(evaluations, oneMeasure(asked), options),
  );
  if (!answer.ok) return answer;
  const { whole, slices, warnings } = answer.value;
  const [baseline, candidate] = evaluations as readonly [string, string];
  const names = namesOf(labels, baseline, candidate);
  const level = options.level ?? LEVEL;
  const look: Omit<SlicesReportOptions, "drawing" | "most"> = { labels, baseline, candidate, level };
  const suite: JunitSuite = {
    name: suiteName(names),
    notes: notesOf(warnings, labels),
    cases: [
      {
        name: measureName(whole.field),
        text: verdictSentence(names, whole, level),
        failure: stops(gate, whole.verdict) ? whole.verdict : undefined,
        skipped: whole.verdict === "no_direction",
      },
      ...slices
        .filter(({ interval }) => interval !== null)
        .map((slice): JunitCase => {
          const text = sliceSentence(names, whole, slice, level);
          return {
            name: text.name,
            text: text.sentence,
            failure: stopsSlice(slice) ? slice.verdict : undefined,
            skipped: slice.verdict === "no_direction",
          };
        }),
    ],
  };
  return ok({
    json: answer.value,
    report: (drawing, most) => slicesReport(answer.value, { ...look, drawing, most }),
    suites: [suite],
    stopped: stoppedOf([suite]),
  });
}

async function askRanking(data: DataAccess, asked: Asked): Promise<Result<Unnoted>> {
  const { project, evaluations, labels, stats, headline, options } = asked;
  const answer = await data.statistics(
    "ranking",
    project,
    rankingBody(evaluations, oneMeasure(asked), options),
  );
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
    stopped: [],
  });
}

function oneMeasure({ headline, measures, options }: Asked): object {
  return measureOf(headline, measures.directions, options.reduce);
}

function namesOf(labels: ReadonlyMap<string, string>, baseline: string, candidate: string): SideNames {
  return { baseline: labels.get(baseline) ?? baseline, candidate: labels.get(candidate) ?? candidate };
}

function suiteName({ baseline, candidate }: SideNames): string {
  return `${candidate} against ${baseline}`;
}

function stoppedOf(suites: readonly JunitSuite[]): readonly string[] {
  return suites.flatMap(({ cases }) =>
    cases.flatMap(({ failure, text }) => (failure === undefined ? [] : [text])),
  );
}

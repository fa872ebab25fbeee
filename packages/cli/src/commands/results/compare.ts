// assay compare: did it get better, and can you trust that?

import { pipeline } from "node:stream/promises";
import type { Issue, Result } from "@assay/base";
import { excerpt, shellWord } from "@assay/base/internal";
import type { EvalResultsScorerStats } from "@assay/eval-engine";
import { measureName, rowField, scoreField } from "@assay/eval-engine/words";
import type { FieldPath } from "@assay/query-lang";
import { readFieldPath } from "@assay/query-lang/internal";
import type { DataAccess } from "@assay/server/internal";
import { type ComparisonOptions, checkCombination, type EvaluationSelection } from "../../compare/request.ts";
import {
  runStatistics,
  type StatisticsRequest,
  type StatisticsResult,
} from "../../compare/run-statistics.ts";
import { openSource, sourceOf } from "../../data/file-data.ts";
import type { OpenOptions } from "../../data/open-data.ts";
import { writeAtomic } from "../../files/write-atomic.ts";
import type { ReadingOptions } from "../../import/import-plan.ts";
import { failOnMissing, missingFields, missingInQuery } from "../../query/check-names.ts";
import { filtersOf, namedIds, readCondition, withFields } from "../../query/conditions.ts";
import {
  type ChosenEvaluations,
  latestOnOneDataset,
  latestPair,
  namedEvaluations,
} from "../../query/named-evaluations.ts";
import { type FoundMeasure, measureNamed, scoreMeasures } from "../../query/score-measures.ts";
import { labelsOf } from "../../render/evaluation-labels.ts";
import { type Gate, judgesNothing } from "../../report/gate.ts";
import { type CliContext, info, log, print } from "../../terminal/cli-context.ts";
import { EXIT, Failure } from "../../terminal/failure.ts";
import { plainJson, plainText } from "../../terminal/plain-text.ts";
import { withNotice } from "../../terminal/slow-notice.ts";

/** The number of slices in a table for people. */
const SLICES = { table: 20, markdown: 50 } as const;

/** The width of a drawn interval in Markdown. */
const MARKDOWN_DRAWING = 31;

/** What to compare, and how to report it. */
export interface CompareOptions extends OpenOptions, ComparisonOptions {
  /** How files are read. */
  readonly reading: ReadingOptions;
  /** `ENTITY/PROJECT`, or the first of the files that are compared without being imported. */
  readonly project: string;
  /** Further files, then names or ids, the baseline first; none for the latest. */
  readonly evaluations: readonly string[];
  /** Default: a table on a terminal, otherwise JSON. */
  readonly format?: "json" | "table" | "markdown" | "junit" | undefined;
  /** The file to write; undefined for standard output. */
  readonly output?: string | undefined;
  /** The gate: when the exit code is 1. */
  readonly failOn?: Gate | undefined;
}

/** Compares and prints. Returns the exit code. */
export async function compareCommand(context: CliContext, options: CompareOptions): Promise<number> {
  const source = sourceOf(options.project, options.evaluations);
  const { project, names } = source;
  checkCombination(options);
  checkOutcome(options);
  if (source.files.length > 0 && names.length === 1)
    throw new Failure(
      EXIT.usage,
      `${excerpt(names[0]!)} is not a file; if it is the name of an evaluation, name another to compare it with`,
    );
  checkCount({ evaluations: names });
  const data = await openSource(context, source, options);
  try {
    const evaluations = names.length > 0 ? names : (data.inOrder ?? []);
    if (source.files.length > 0 && evaluations.length === 0) await checkSeveral(data, project);
    const answer = await answerOf(context, data, { ...options, project, evaluations });
    if (!answer.ok) {
      for (const issue of answer.issues) log(context, `assay: ${issueText(issue)}`);
      return EXIT.usage;
    }
    await show(context, answer.value, options);
    return options.failOn === undefined ? EXIT.ok : judged(context, answer.value, options.failOn);
  } finally {
    await data.close();
  }
}

/** A problem of the request, which names the option if it is one. */
function issueText({ path: [, ...at], message, code }: Issue): string {
  const [name] = at;
  return typeof name === "string" && at.length === 1 && message.startsWith(`${name} `)
    ? `--${name.replaceAll("_", "-")}${message.slice(name.length)}`
    : `${at.join(".") || "body"}: ${message} (${code})`;
}

/** The evaluations to compare, and options. */
export type ComparisonRequest = ComparisonOptions &
  Pick<CompareOptions, "project" | "evaluations" | "failOn">;

/** Compares. Fails for unknown names; other issues of the request are returned. */
export async function answerOf(
  context: CliContext,
  data: DataAccess,
  options: ComparisonRequest,
): Promise<Result<StatisticsResult>> {
  const { project } = options;
  const { ids, notes } = await withNotice(context, chosen(data, project, options));
  const request = await withNotice(context, prepared(data, project, ids, options));
  return withNotice(context, runStatistics(data, { ...request, notes: [...notes, ...request.notes] }));
}

function checkOutcome({ ranking, failOn, format }: CompareOptions): void {
  if (ranking && failOn !== undefined)
    throw new Failure(EXIT.usage, "--fail-on cannot be combined with --ranking: a ranking has no verdict");
  if (ranking && format === "junit")
    throw new Failure(EXIT.usage, "--format junit cannot be combined with --ranking: a ranking has no cases");
}

/** Fails if files hold only one evaluation. */
async function checkSeveral(data: DataAccess, project: string): Promise<void> {
  const [only, ...others] = await data.evaluations(project);
  if (only !== undefined && others.length === 0)
    throw new Failure(
      EXIT.usage,
      `${data.where} has only one evaluation, ${only.name ?? only.id}: also give the file of another, or name the column ` +
        "that distinguishes evaluations with --evaluation COLUMN",
    );
}

/** Fails if there is nothing to compare an evaluation with. */
export function checkCount({ evaluations }: Pick<CompareOptions, "evaluations">): void {
  if (evaluations.length === 1)
    throw new Failure(
      EXIT.usage,
      "a comparison needs two evaluations: name a baseline and a candidate, or none to compare the newest with the one before it",
    );
}

async function chosen(
  data: DataAccess,
  project: string,
  { evaluations, ranking, slices, failOn }: ComparisonRequest,
): Promise<ChosenEvaluations> {
  if (slices !== undefined && evaluations.length > 2)
    throw new Failure(EXIT.usage, "--slices compares one pair: name a baseline and one candidate");
  if (evaluations.length > 0) return { ids: await namedEvaluations(data, project, evaluations), notes: [] };
  if (!ranking) return latestPair(data, project, { isGate: failOn !== undefined });
  return latestOnOneDataset(data, project);
}

/** The request, with all names looked up. Fails for unknown names. */
async function prepared(
  data: DataAccess,
  project: string,
  evaluations: readonly string[],
  given: ComparisonRequest,
): Promise<StatisticsRequest> {
  const counted = await data.query(project, {
    evaluation_call_ids: evaluations,
    include_rows: false,
    include_summary: true,
  });
  if (!counted.ok) throw new Error(`the evaluations are not a query: ${counted.issues[0]?.message}`);
  const stats = (counted.value.summary?.evaluations ?? []).flatMap(({ scorer_stats }) => scorer_stats);
  const scores = scoreMeasures(stats);
  const read = given.where.map((text) => readCondition(text, given.evaluations));
  const conditions = await withFields(data, project, { evaluations, conditions: read }, stats);
  const texts = conditions.map(({ text }) => text);
  const options: ComparisonRequest = {
    ...given,
    slices: given.slices?.map(rowField),
    clusterBy: given.clusterBy === undefined ? undefined : rowField(given.clusterBy),
  };
  const named = await namedIds(data, project, evaluations, {
    given: given.evaluations,
    wanted: conditions.map(({ about }) => about),
  });
  const query: EvaluationSelection = { evaluation_call_ids: evaluations, ...filtersOf(conditions, named) };
  failOnMissing(await missingInQuery(data, project, query), texts);
  const [found, lower, higher] = [options.measures, options.lower, options.higher].map((names) =>
    names.map((name) => measureNamed(name, scores)),
  ) as [FoundMeasure[], FoundMeasure[], FoundMeasure[]];
  const rowFields = [...(options.slices ?? []), options.clusterBy ?? []].flat().flatMap(pathOf);
  failOnMissing([
    ...[...found, ...lower, ...higher].flatMap((one) => ("missing" in one ? [one.missing] : [])),
    ...(await missingFields(data, project, { evaluations, fields: rowFields }, stats)),
  ]);
  const asked = fieldsOf(found);
  const directions = new Map([
    ...fieldsOf(lower).map((field) => [field, "lower"] as const),
    ...fieldsOf(higher).map((field) => [field, "higher"] as const),
  ]);
  const twice = fieldsOf(lower).find((field) => directions.get(field) === "higher");
  if (twice !== undefined)
    throw new Failure(EXIT.usage, `${measureName(twice)} is in both --lower and --higher: give it once`);
  return {
    project,
    query,
    labels: new Map([...evaluations.map((id) => [id, id] as const), ...labelsOf(counted.value)]),
    stats,
    measures: { named: asked, directions, scores },
    notes: scores.length === 0 ? textScores(stats) : [],
    // Without any score, latency can still be compared.
    headline: asked[0] ?? scores[0] ?? "model_latency_seconds",
    options,
    gate: options.failOn,
  };
}

/** A sentence on scores that are texts, where there are no others. */
function textScores(stats: readonly EvalResultsScorerStats[]): readonly string[] {
  const names = [...new Set(stats.map(scoreField))].map(measureName);
  if (names.length === 0)
    return [
      "no trial has a score: add a column such as correct, or name one with --score when files are read",
    ];
  const rule = shellWord(`${names[0]}==VALUE`);
  return [
    `${names.join(", ")}: texts have no mean to compare; read the files with a rule such as --pass ${rule} to compare how often a text occurs`,
  ];
}

function fieldsOf(found: readonly FoundMeasure[]): readonly string[] {
  return found.flatMap((one) => ("field" in one ? [one.field] : []));
}

/** The path of a field of the row; undefined if the text is not a field, which the answer reports. */
function pathOf(text: string): readonly FieldPath[] {
  const path = readFieldPath(text);
  return path.ok && path.value[0] === "inputs" && path.value.length > 1 ? [path.value] : [];
}

async function show(context: CliContext, answer: StatisticsResult, options: CompareOptions): Promise<void> {
  const { output } = options;
  const text = await textOf(context, answer, options);
  if (output === undefined) return print(context, text);
  await writeAtomic(context, output, (stream, ending) => pipeline([`${text}\n`], stream, ending));
  const { sentences, notes } = answer.report(0, 0);
  await print(context, [...sentences, ...notes.map((note) => `Note: ${note}`)].map(plainText).join("\n"));
}

async function textOf(
  context: CliContext,
  answer: StatisticsResult,
  { format, output }: CompareOptions,
): Promise<string> {
  const terminal = output === undefined ? context.stdout.columns : undefined;
  switch (format ?? (terminal === undefined ? "json" : "table")) {
    case "json":
      // Adds how the evaluations were chosen, which the engine's answer does not contain.
      for (const sentence of answer.notes) info(context, `assay: note: ${sentence}`);
      return plainJson(JSON.stringify(answer.json));
    case "markdown": {
      const { reportMarkdown } = await import("../../report/report-markdown.ts");
      return reportMarkdown(answer.report(MARKDOWN_DRAWING, SLICES.markdown)).trimEnd();
    }
    case "junit": {
      const { junitXml } = await import("../../report/junit.ts");
      return junitXml(answer.suites).trimEnd();
    }
    case "table": {
      const { drawingWidth, reportText } = await import("../../report/report-text.ts");
      const width = terminal ?? 100;
      return reportText(answer.report(drawingWidth(width), SLICES.table), width);
    }
  }
}

/** The exit code of a gate, after printing why it failed. */
function judged(context: CliContext, { suites, stopped }: StatisticsResult, gate: Gate): number {
  const ignored = suites
    .flatMap(({ cases }) => (cases.some(judgesNothing) ? [] : cases))
    .flatMap(({ name, failure, skipped }) =>
      failure !== undefined || skipped === undefined ? [] : [`${name} (${skipped})`],
    );
  if (ignored.length > 0)
    info(context, `assay: note: --fail-on ${gate} ignores ${[...new Set(ignored)].join(", ")}`);
  for (const sentence of stopped) log(context, `assay: --fail-on ${gate}: ${sentence}`);
  return stopped.length === 0 ? EXIT.ok : EXIT.failed;
}

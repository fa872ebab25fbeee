// The three statistics questions, from a body to the answer: reads, selects, and computes. The caller provides the
// selection of rows.

import { type Issue, ok, type Result } from "@assay/base";
import type { CallSource } from "@assay/calls";
import type { FieldPath } from "@assay/query-lang";
import type { Work } from "../kernels/work.ts";
import type { ScoreDirections } from "../ports/score-directions.ts";
import type { EvalQuery } from "../query/request.ts";
import type { UnmetNames } from "../query/unmet.ts";
import type { RequestedData, SelectedRows } from "./rows/selected-rows.ts";
import { type Scorers, scorersOf, unmetWarnings } from "./warnings.ts";
import {
  type Common,
  type CompareRequest,
  type RankingRequest,
  readCompare,
  readRanking,
  readSlices,
  type SlicesRequest,
} from "./wire/read-body.ts";
import type { CompareResults, RankingResults, SlicesResults } from "./wire/response.ts";

/** The answers to the questions. */
export interface StatisticsAnswers {
  /** Whether it got better: candidates against a baseline. */
  readonly compare: CompareResults;
  /** Where it got better or worse: a pair in each slice of its rows. */
  readonly slices: SlicesResults;
  /** Which evaluation is best. */
  readonly ranking: RankingResults;
}

/** A statistics question. */
export type StatisticsQuestion = keyof StatisticsAnswers;

/** Selects the rows of a query with the evaluations' data on them, while `use` runs. */
export type SelectRows = <T>(
  query: EvalQuery,
  requested: RequestedData,
  use: (selection: SelectedRows, work: Work) => Promise<T>,
) => Promise<T>;

/** A parsed question. */
interface ParsedQuestion<Answer> {
  readonly query: EvalQuery;
  readonly requested: RequestedData;
  answer(
    selection: SelectedRows,
    known: { readonly scorers: Scorers; readonly kept: Common["kept"] },
    work: Work,
  ): Promise<Result<Answer>>;
}

// Loads the computing code on first use: special functions take longer to load than a query takes to answer.
const READERS: {
  readonly [Question in StatisticsQuestion]: (
    body: unknown,
  ) => Result<ParsedQuestion<StatisticsAnswers[Question]>>;
} = {
  compare: (body) =>
    parsedQuestion(
      readCompare(body),
      async () => (await import("./compare.ts")).compare,
      ({ measures }) => measures ?? [],
    ),
  slices: (body) =>
    parsedQuestion(
      readSlices(body),
      async () => (await import("./slices.ts")).slices,
      ({ measure }) => [measure],
      ({ fields }) => fields,
    ),
  ranking: (body) =>
    parsedQuestion(
      readRanking(body),
      async () => (await import("./ranking.ts")).ranking,
      ({ measure }) => [measure],
    ),
};

/** Computes the answer to a request. */
type Answer<R, A> = (selection: SelectedRows, scorers: Scorers, request: R, work: Work) => Promise<Result<A>>;

type Request = CompareRequest | SlicesRequest | RankingRequest;

function parsedQuestion<R extends Request, A>(
  read: Result<R>,
  load: () => Promise<Answer<R, A>>,
  measures: (request: R) => readonly { readonly path: FieldPath }[],
  fields: (request: R) => readonly FieldPath[] | undefined = () => [],
): Result<ParsedQuestion<A>> {
  if (!read.ok) return read;
  const request = read.value;
  const named = fields(request);
  return {
    ok: true,
    value: {
      query: request.query,
      requested: {
        measures: measures(request).map(({ path }) => path),
        fields: [...(named ?? []), ...(request.clusterBy === null ? [] : [request.clusterBy])],
        sliceFields: named === undefined,
      },
      answer: async (selection, { scorers, kept }, work) =>
        (await load())(selection, scorers, { ...request, kept }, work),
    },
  };
}

/** The issues of a question's body, as far as they can be found without its evaluations. */
export function statisticsIssues(question: StatisticsQuestion, body: unknown): readonly Issue[] {
  const read: Result<unknown> = READERS[question](body);
  return read.ok ? [] : read.issues;
}

/** The query of a question with what to prepare of its rows, or the issues of its body. */
export function requestedSelection(
  question: StatisticsQuestion,
  body: unknown,
): Result<{ readonly query: EvalQuery; readonly requested: RequestedData }> {
  const read: Result<ParsedQuestion<unknown>> = READERS[question](body);
  return read;
}

/** Answers a question about a project. Returns the issues of the body, as a query does. */
export async function answerStatistics<Question extends StatisticsQuestion>(
  question: Question,
  body: unknown,
  source: {
    readonly project: string;
    readonly calls: Pick<CallSource, "calls">;
    readonly select: SelectRows;
    readonly unmet: UnmetNames;
    readonly directions: Pick<ScoreDirections, "get"> | undefined;
  },
): Promise<Result<StatisticsAnswers[Question]>> {
  const read: Result<ParsedQuestion<StatisticsAnswers[Question]>> = READERS[question](body);
  if (!read.ok) return read;
  const { query, requested, answer } = read.value;
  let rows = 0;
  const found = await source.select(query, requested, async (selection, work) => {
    rows = selection.length;
    const scorers = await scorersOf(source.calls, source.project, selection);
    const kept = (await source.directions?.get(source.project)) ?? new Map();
    const answered = await answer(selection, { scorers, kept }, work);
    work.check();
    return answered;
  });
  if (!found.ok) return found;
  const unmet = unmetWarnings(await source.unmet(query, rows, requested.fields));
  return unmet.length === 0 ? found : ok({ ...found.value, warnings: [...found.value.warnings, ...unmet] });
}

// The questions of a page of rows, from a body to the answer: reads, selects, and computes. The caller provides the
// selection of rows.

import { type Issue, ok, type Result } from "@assay/base";
import type { Work } from "../kernels/work.ts";
import type { ScoreDirections } from "../ports/score-directions.ts";
import type { EvalQuery } from "../query/request.ts";
import type { UnmetNames } from "../query/unmet.ts";
import type { RequestedData } from "../statistics/rows/selected-rows.ts";
import type { Common } from "../statistics/wire/read-body.ts";
import { fieldsOf } from "./fields.ts";
import { rowPage } from "./page.ts";
import type { ViewRows } from "./view-rows.ts";
import type { ViewQuestion } from "./wire/body.ts";
import { readFieldsRequest, readRowGroups, readRowPage } from "./wire/read-body.ts";
import type { FieldsResults, RowGroupsResults, RowPageResults } from "./wire/response.ts";
import type { RowValue } from "./wire/row-filters.ts";

/** The answers to the questions. */
export interface ViewAnswers {
  /** A page of rows, with previews. */
  readonly page: RowPageResults;
  /** Groups of rows, each with the filter that selects it. */
  readonly groups: RowGroupsResults;
  /** The available fields. */
  readonly fields: FieldsResults;
}

/** Selects the rows of a query while `use` runs. */
export type ViewSelect = <T>(
  query: EvalQuery,
  requested: RequestedData,
  use: (view: ViewRows, work: Work) => Promise<T>,
) => Promise<T>;

/** A parsed question. */
interface ParsedQuestion<Answer> {
  readonly query: EvalQuery;
  readonly requested: RequestedData;
  answer(view: ViewRows, kept: Common["kept"], work: Work): Promise<Result<Answer>>;
}

const READERS: {
  readonly [Question in ViewQuestion]: (body: unknown) => Result<ParsedQuestion<ViewAnswers[Question]>>;
} = {
  page: (body) =>
    parsedQuestion(readRowPage(body), (request) => ({
      values: [
        ...request.conditions,
        ...named([request.measure]),
        ...(request.measures ?? []).map((path) => ({ path })),
      ],
      answer: (view, kept, work) => rowPage(view, { ...request, kept }, work),
    })),
  groups: (body) =>
    parsedQuestion(readRowGroups(body), (request) => ({
      values: [...request.conditions, request.by, ...named(request.measures)],
      // Loaded on first use: tests of differences need special functions.
      answer: async ({ selection }, kept, work) =>
        (await import("./groups.ts")).rowGroups(selection, { ...request, kept }, work),
    })),
  fields: (body) =>
    parsedQuestion(readFieldsRequest(body), () => ({
      values: [],
      answer: (view, _, work) => fieldsOf(view, work),
    })),
};

type Named = Pick<RowValue, "path">;

function named(measures: readonly (Named | undefined)[]): readonly Named[] {
  return measures.filter((measure) => measure !== undefined);
}

function parsedQuestion<Request extends { readonly query: EvalQuery }, Answer>(
  read: Result<Request>,
  of: (request: Request) => {
    readonly values: readonly Named[];
    readonly answer: ParsedQuestion<Answer>["answer"];
  },
): Result<ParsedQuestion<Answer>> {
  if (!read.ok) return read;
  const { query } = read.value;
  const { values, answer } = of(read.value);
  const [fields, measures] = [true, false].map((ofRow) =>
    values.map(({ path }) => path).filter((path) => (path[0] === "inputs") === ofRow),
  );
  return {
    ok: true,
    value: { query, requested: { fields: fields!, measures: measures!, sliceFields: false }, answer },
  };
}

/** The issues of a question's body, as far as they can be found without its evaluations. */
export function viewIssues(question: ViewQuestion, body: unknown): readonly Issue[] {
  const read: Result<unknown> = READERS[question](body);
  return read.ok ? [] : read.issues;
}

/** The sources for answering a question of a page. */
interface ViewSource {
  readonly project: string;
  readonly select: ViewSelect;
  readonly unmet: UnmetNames;
  readonly directions: Pick<ScoreDirections, "get"> | undefined;
}

/** Answers a question. Returns the issues of the body, as a query does. */
export async function answerView<Question extends ViewQuestion>(
  question: Question,
  body: unknown,
  { project, select, unmet, directions }: ViewSource,
): Promise<Result<ViewAnswers[Question]>> {
  const read: Result<ParsedQuestion<ViewAnswers[Question]>> = READERS[question](body);
  if (!read.ok) return read;
  const { query, requested, answer } = read.value;
  let rows = 0;
  const found = await select(query, requested, async (view, work) => {
    rows = view.selection.length;
    const kept = (await directions?.get(project)) ?? new Map();
    const answered = await answer(view, kept, work);
    work.check();
    return answered;
  });
  if (!found.ok || !("warnings" in found.value)) return found;
  const notes = await unmet(query, rows, requested.fields);
  if (notes.length === 0) return found;
  const warnings = [...found.value.warnings, ...notes.map(({ message }) => message)];
  return ok({ ...found.value, warnings });
}

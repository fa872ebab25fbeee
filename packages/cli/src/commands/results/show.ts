// assay show: one row in full, with the outputs and scores of every evaluation.

import { DIGEST_LENGTH } from "@assay/calls/internal";
import type { EvalResultsQueryBody, EvalResultsRow } from "@assay/eval-engine";
import { fieldFault } from "@assay/eval-engine/internal";
import { readFieldPath } from "@assay/query-lang/internal";
import type { DataAccess } from "@assay/server/internal";
import { openSource, sourceOf } from "../../data/file-data.ts";
import type { OpenOptions } from "../../data/open-data.ts";
import type { ReadingOptions } from "../../import/import-plan.ts";
import { failOnMissing, missingInQuery, missingProject, rowFields } from "../../query/check-names.ts";
import { withFields } from "../../query/conditions.ts";
import { namedEvaluations } from "../../query/named-evaluations.ts";
import { trialNotes } from "../../query/trial-notes.ts";
import { whereExpression } from "../../query/where-expression.ts";
import { labelsOf } from "../../render/evaluation-labels.ts";
import { isJson, type PrintOptions } from "../../render/print-table.ts";
import { rowTitles } from "../../render/rows-table.ts";
import { type CliContext, info, print, printJson } from "../../terminal/cli-context.ts";
import { EXIT, Failure } from "../../terminal/failure.ts";
import { withNotice } from "../../terminal/slow-notice.ts";

/** What to show. */
export interface ShowOptions extends OpenOptions, PrintOptions {
  /** How files are read. */
  readonly reading: ReadingOptions;
  readonly project: string;
  /** The row's digest or a prefix of it, the value of one of its fields, or a condition that it meets. */
  readonly row: string;
  /** Names or IDs; empty for the latest that have the row. */
  readonly evaluations: readonly string[];
}

/** How many evaluations are searched if none are named, and how many of them are shown. */
const LATEST = 100;
const SHOWN = 3;
/** The fewest characters that may be the beginning of a digest. */
const SHORTEST = 4;
/** How many rows are listed if several match. */
const LISTED = 5;

/** Shows a row. Returns the exit code. */
export async function showCommand(context: CliContext, options: ShowOptions): Promise<number> {
  const source = sourceOf(options.project, []);
  const { project } = source;
  const condition = conditionOf(options.row);
  const data = await openSource(context, source, options);
  try {
    const { row, earlier } = await findRow(context, data, { ...options, project, condition });
    await show(context, data, project, row, options);
    if (earlier > 0)
      info(context, `${earlier} earlier evaluations also have this row: name them to see them`);
    return EXIT.ok;
  } finally {
    await data.close();
  }
}

/** `text` as a condition; undefined for a digest or the value of a field. */
export function conditionOf(text: string): unknown {
  const path = readFieldPath(text);
  const isField = path.ok && fieldFault(path.value) === undefined;
  return /[\s=<>(){}"']/.test(text) || isField ? whereExpression(text, "the row") : undefined;
}

/** Which row to show, and in which evaluations. */
export interface RowRequest extends Pick<ShowOptions, "project" | "row" | "evaluations"> {
  /** `row` as a condition, if it is one (`conditionOf`). */
  readonly condition: unknown;
}

/**
 * The row with the requested evaluations, and the number of earlier ones that have it. Fails unless exactly one row
 * matches.
 */
export async function findRow(
  context: CliContext,
  data: DataAccess,
  { project, condition, ...request }: RowRequest,
): Promise<{ readonly row: EvalResultsRow; readonly earlier: number }> {
  const named = request.evaluations.length > 0;
  const listed = named
    ? await namedEvaluations(data, project, request.evaluations)
    : (await withNotice(context, data.evaluations(project))).slice(-LATEST).map(({ id }) => id);
  if (listed.length === 0) failOnMissing([await missingProject(data, project)]);
  const text = request.row;
  const conditions = condition === undefined ? [] : [{ text, $expr: condition }];
  const [selected] = await withFields(data, project, { evaluations: listed, conditions });
  const $expr = selected?.$expr ?? (await identifiedBy(data, project, listed, text));
  const body: EvalResultsQueryBody = {
    evaluation_call_ids: listed,
    filters: [{ query: { $expr } }],
    include_raw_data_rows: true,
    resolve_row_refs: true,
    limit: LISTED + 1,
  };
  if (condition !== undefined) failOnMissing(await missingInQuery(data, project, body), [text]);
  const answer = await withNotice(context, data.query(project, body));
  if (!answer.ok) throw new Failure(EXIT.usage, answer.issues.map(({ message }) => message).join("; "));
  const found = theRow(answer.value.rows, text, project);
  const having = found.evaluations.map(({ evaluation_call_id: id }) => id);
  const ids = named ? having : having.slice(-SHOWN);
  const row = {
    ...found,
    evaluations: found.evaluations.filter((of) => ids.includes(of.evaluation_call_id)),
  };
  return { row, earlier: having.length - ids.length };
}

/** Rows that have this text in a field, or whose digest begins with it; digests are ASCII. */
async function identifiedBy(
  data: DataAccess,
  project: string,
  evaluations: readonly string[],
  text: string,
): Promise<unknown> {
  const digest = { $getField: "row_digest" };
  if (text.length === DIGEST_LENGTH) {
    // The digest of a row means that row, and needs no look at the fields of all.
    const $expr = { $eq: [digest, { $literal: text }] };
    const body = { evaluation_call_ids: evaluations, filters: [{ query: { $expr } }], include_rows: false };
    const answer = await data.query(project, body);
    if (answer.ok && answer.value.total_rows > 0) return $expr;
  }
  const fields = await rowFields(data, project, evaluations);
  const to = text.length < SHORTEST ? text : `${text}\u007f`;
  return {
    $or: [
      { $and: [{ $gte: [digest, { $literal: text }] }, { $lt: [digest, { $literal: to }] }] },
      ...fields.map((field) => ({ $eq: [{ $getField: field }, { $literal: text }] })),
    ],
  };
}

/** The only row that matches. */
function theRow(rows: readonly EvalResultsRow[], text: string, project: string): EvalResultsRow {
  const exact = rows.find(({ row_digest }) => row_digest === text);
  const [first, second] = exact === undefined ? rows : [exact];
  if (first === undefined)
    throw new Failure(
      EXIT.usage,
      `no row of ${project} matches ${JSON.stringify(text)}: give the row's id, its digest or a prefix of it, or a condition like 'inputs.id = "q1"'`,
    );
  if (second === undefined) return first;
  const titles = rowTitles(rows, 100);
  const some = rows.slice(0, LISTED).map(({ row_digest }, i) => `  ${row_digest}  ${titles[i]!}`);
  const count = rows.length > LISTED ? `more than ${LISTED}` : rows.length;
  throw new Failure(
    EXIT.usage,
    [`${count} rows match ${JSON.stringify(text)}; choose one:`, ...some].join("\n"),
  );
}

async function show(
  context: CliContext,
  data: DataAccess,
  project: string,
  row: EvalResultsRow,
  options: ShowOptions,
): Promise<void> {
  if (isJson(context, options)) return printJson(context, row);
  const ids = row.evaluations.map(({ evaluation_call_id: id }) => id);
  const summary = await data.query(project, {
    evaluation_call_ids: ids,
    include_rows: false,
    include_summary: true,
  });
  const labels = summary.ok ? labelsOf(summary.value) : new Map(ids.map((id) => [id, id]));
  const [{ rowSheet }, notes] = await Promise.all([
    import("../../render/row-sheet.ts"),
    trialNotes(
      data,
      project,
      row.evaluations.flatMap(({ trials }) => trials),
    ),
  ]);
  await print(context, rowSheet(row, { labels, notes, width: context.stdout.columns ?? 100 }));
}

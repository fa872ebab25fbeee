// assay show: one row in full, with the outputs and scores of every evaluation.

import type { EvalResultsQueryBody, EvalResultsRow } from "@assay/eval-engine";
import type { DataAccess } from "@assay/server/internal";
import { openSource, sourceOf } from "../../data/file-data.ts";
import type { OpenOptions } from "../../data/open-data.ts";
import type { ReadingOptions } from "../../import/import-plan.ts";
import { failOnMissing, missingInQuery, missingProject, strayFields } from "../../query/check-names.ts";
import { namedEvaluations } from "../../query/named-evaluations.ts";
import { trialNotes } from "../../query/trial-notes.ts";
import { fieldsOfWhere, whereExpression } from "../../query/where-expression.ts";
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
  /** The digest of the row, a prefix of it, or a condition that it meets. */
  readonly row: string;
  /** Names or IDs; empty for the latest that have the row. */
  readonly evaluations: readonly string[];
}

/** How many evaluations are searched if none are named, and how many of them are shown. */
const LATEST = 100;
const SHOWN = 3;
/** How many rows are listed if several match. */
const LISTED = 5;

/** Shows a row. Returns the exit code. */
export async function showCommand(context: CliContext, options: ShowOptions): Promise<number> {
  const source = sourceOf(options.project, []);
  const { project } = source;
  const $expr = conditionOf(options.row);
  const data = await openSource(context, source, options);
  try {
    const { row, earlier } = await rowMeant(context, data, { ...options, project, $expr });
    await show(context, data, project, row, options);
    if (earlier > 0)
      info(context, `${earlier} earlier evaluations also have this row: name them to see them`);
    return EXIT.ok;
  } finally {
    await data.close();
  }
}

const DIGEST = /^[\w-]+$/;

/** The condition that `text` means: a row's digest, a prefix of it, or a condition. */
export function conditionOf(text: string): unknown {
  return DIGEST.test(text) ? beginning(text) : whereExpression(text, "the row");
}

/** Which row to show, and in which evaluations. */
export interface MeantRow extends Pick<ShowOptions, "project" | "row" | "evaluations"> {
  /** The condition that selects the row. */
  readonly $expr: unknown;
}

/**
 * The row with the requested evaluations, and the number of earlier ones that have it. Fails unless exactly one row
 * matches.
 */
export async function rowMeant(
  context: CliContext,
  data: DataAccess,
  { project, $expr, ...meant }: MeantRow,
): Promise<{ readonly row: EvalResultsRow; readonly earlier: number }> {
  const named = meant.evaluations.length > 0;
  const listed = named
    ? await namedEvaluations(data, project, meant.evaluations)
    : (await withNotice(context, data.evaluations(project))).slice(-LATEST).map(({ id }) => id);
  if (listed.length === 0) failOnMissing([await missingProject(data, project)]);
  const body: EvalResultsQueryBody = {
    evaluation_call_ids: listed,
    filters: [{ query: { $expr } }],
    include_raw_data_rows: true,
    resolve_row_refs: true,
    limit: LISTED + 1,
  };
  if (!DIGEST.test(meant.row)) {
    const asked = { evaluations: listed, fields: fieldsOfWhere($expr) };
    failOnMissing(await strayFields(data, project, asked), [meant.row]);
    failOnMissing(await missingInQuery(data, project, body), [meant.row]);
  }
  const answer = await withNotice(context, data.query(project, body));
  if (!answer.ok) throw new Failure(EXIT.usage, answer.issues.map(({ message }) => message).join("; "));
  const found = theRow(answer.value.rows, meant.row, project);
  const having = found.evaluations.map(({ evaluation_call_id: id }) => id);
  const ids = named ? having : having.slice(-SHOWN);
  const row = {
    ...found,
    evaluations: found.evaluations.filter((of) => ids.includes(of.evaluation_call_id)),
  };
  return { row, earlier: having.length - ids.length };
}

/** Digests that start with `text`; digests are ASCII. */
function beginning(text: string): unknown {
  const digest = { $getField: "row_digest" };
  return {
    $and: [{ $gte: [digest, { $literal: text }] }, { $lt: [digest, { $literal: `${text}\u007f` }] }],
  };
}

/** The only row that matches. */
function theRow(rows: readonly EvalResultsRow[], meant: string, project: string): EvalResultsRow {
  const exact = rows.find(({ row_digest }) => row_digest === meant);
  const [first, second] = exact === undefined ? rows : [exact];
  if (first === undefined)
    throw new Failure(
      EXIT.usage,
      `no row of ${project} matches ${JSON.stringify(meant)}: give its digest, a prefix of it, or a condition like 'inputs.id = "q1"'`,
    );
  if (second === undefined) return first;
  const titles = rowTitles(rows, 100);
  const some = rows.slice(0, LISTED).map(({ row_digest }, i) => `  ${row_digest}  ${titles[i]!}`);
  const count = rows.length > LISTED ? `more than ${LISTED}` : rows.length;
  throw new Failure(
    EXIT.usage,
    [`${count} rows match ${JSON.stringify(meant)}; choose one:`, ...some].join("\n"),
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

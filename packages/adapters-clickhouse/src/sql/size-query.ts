// Determines the number of trials of a query, and whether their columns hold everything that it reads.

import type { EvalQuery } from "@assay/eval-engine/internal";
import { fieldsOf } from "@assay/query-lang/internal";
import { MARKS } from "../columns/trial-rows.ts";
import type { Statement } from "../connection/clickhouse.ts";
import { Parameters } from "./statement.ts";
import type { Preflight, QueryContext } from "./trials-sql.ts";

/** The number of trials, and all marks of them and of the dataset rows that the query may read. */
export function sizeStatement({ tables, project, query }: Omit<QueryContext, keyof Preflight>): Statement {
  const parameters = new Parameters();
  const [p, evaluations] = [parameters.text(project), parameters.texts(query.evaluations)];
  const rows = readsInputs(query)
    ? `(SELECT groupBitOr(marks) FROM ${tables.rows} FINAL WHERE project = ${p})`
    : "toUInt8(0)";
  return parameters.statement(
    `SELECT count(), groupBitOr(marks), ${rows} FROM ${tables.trials} FINAL WHERE project = ${p} AND evaluation IN ${evaluations}`,
  );
}

/** Why a query cannot be answered exactly from columns with these marks; undefined if it can. */
export function inexactReason(query: EvalQuery, marks: number, rowMarks: number): string | undefined {
  if (((marks | rowMarks) & MARKS.text) !== 0 || !isUnicode(query))
    return "some text is not Unicode, which the database cannot store unchanged";
  const read = new Set(pathsOf(query).map(([first]) => first));
  const scores = query.summary || read.has("scores") || read.has("output");
  if (scores && (marks & MARKS.scores) !== 0)
    return "some trial has scores that are not kept as columns: too many, or too large a number";
  if ((read.has("output") || read.has("outputs")) && (marks & MARKS.outputs) !== 0)
    return "some output has values that are not kept as columns: too many, or too large a number";
  if (read.has("inputs") && ((marks | rowMarks) & MARKS.example) !== 0)
    return "some row has values that are not kept as columns: too many, or too large a number";
  return undefined;
}

function readsInputs(query: EvalQuery): boolean {
  return pathsOf(query).some(([first]) => first === "inputs");
}

function pathsOf({ filters, sortBy }: EvalQuery): readonly (readonly string[])[] {
  return [...filters.flatMap(({ expr }) => fieldsOf(expr)), ...sortBy.map(({ path }) => path)];
}

/** Whether no text of a query contains a lone surrogate, which JSON writes as an escape. */
function isUnicode({ evaluations, filters, sortBy }: EvalQuery): boolean {
  return !/\\ud[89a-f]/.test(JSON.stringify([evaluations, filters, sortBy]));
}

// A filter as a condition on the command line.

import { printExpression, readQuery } from "@assay/query-lang";
import type { EvalResultsFilter } from "./request.ts";

/** The condition as `--where` takes it: `scores.correct = true`, or `ID: …` for one evaluation; undefined if invalid. */
export function whereText({ query, evaluation_call_id: id }: EvalResultsFilter): string | undefined {
  const read = readQuery(query, { at: [], field: () => undefined });
  if (!read.ok) return undefined;
  return `${id == null ? "" : `${id}: `}${printExpression(read.value)}`;
}

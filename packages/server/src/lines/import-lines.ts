// Imports lines of JSON into any store, and keeps the first bad lines for the report.

import type { BadLine, ImportReport, LineKind } from "@assay/adapters-http/internal";
import type { Issue } from "@assay/base";
import {
  type CallScan,
  type CallText,
  type CallWriter,
  isPredictAndScore,
  type RowWriter,
} from "@assay/calls";
import { importCalls, importRows } from "@assay/calls/lines";
import type { EvaluationEntry } from "@assay/eval-engine";

/** The number of bad lines that a report quotes; further ones are only counted. */
const SHOWN = 100;

/** The stores to import into. */
interface LineStores {
  readonly calls: CallWriter & CallScan;
  readonly rows: RowWriter;
  /** The evaluations of a project whose root call exists. */
  evaluations(project: string): Promise<readonly EvaluationEntry[]>;
}

/** Imports the lines. */
export async function importLines(
  stores: LineStores,
  project: string,
  kind: LineKind,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ImportReport> {
  const { calls, rows } = stores;
  const bad: BadLine[] = [];
  const onBadLine = (line: number, issues: readonly Issue[]) => {
    if (bad.length < SHOWN) bad.push({ line, reason: issues.map(({ message }) => message).join("; ") });
  };
  let in_evaluations = false;
  const put: CallWriter["put"] = async (of, batch, join) => {
    const changed = await calls.put(of, batch, join);
    in_evaluations ||= await hasEvaluation(stores, of, batch);
    return changed;
  };
  const { badLines, ...done } = await (kind === "calls"
    ? importCalls({ ...calls, put }, project, bytes, { onBadLine })
    : importRows(rows, project, bytes, { onBadLine }));
  return { ...done, bad_lines: badLines, bad, in_evaluations };
}

/** Whether one of these stored calls is a trial, the root of an evaluation, or a child of a trial. */
async function hasEvaluation(
  { calls, evaluations }: LineStores,
  project: string,
  batch: readonly CallText[],
): Promise<boolean> {
  if (batch.some(({ call }) => isPredictAndScore(call))) return true;
  const given = new Set(batch.map(({ call }) => call.id));
  // The list reads its index, where a scan would read every trial.
  if ((await evaluations(project)).some(({ id }) => given.has(id))) return true;
  const ids = [...new Set(batch.flatMap(({ call: { parent_id } }) => parent_id ?? []))];
  if (ids.length === 0) return false;
  for await (const some of calls.scan(project, { ids }))
    if (some.some(({ call }) => isPredictAndScore(call))) return true;
  return false;
}

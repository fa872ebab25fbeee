// Imports lines of JSON into a store, whichever it is, and keeps the first bad ones to be shown.

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

/** Bad lines of an import that are kept to be shown; more are counted. */
const SHOWN = 100;

/** Writes what the lines hold. */
export async function importLines(
  { calls, rows }: { readonly calls: CallWriter & CallScan; readonly rows: RowWriter },
  project: string,
  kind: LineKind,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ImportReport> {
  const bad: BadLine[] = [];
  const onBadLine = (line: number, issues: readonly Issue[]) => {
    if (bad.length < SHOWN) bad.push({ line, reason: issues.map(({ message }) => message).join("; ") });
  };
  let in_evaluations = false;
  const put: CallWriter["put"] = async (of, batch, join) => {
    const changed = await calls.put(of, batch, join);
    in_evaluations ||= await hasEvaluation(calls, of, batch);
    return changed;
  };
  const { badLines, ...done } = await (kind === "calls"
    ? importCalls({ ...calls, put }, project, bytes, { onBadLine })
    : importRows(rows, project, bytes, { onBadLine }));
  return { ...done, bad_lines: badLines, bad, in_evaluations };
}

/** Whether one of the calls, which are in the store, is a trial, has trials below it, or was made by one. */
async function hasEvaluation(calls: CallScan, project: string, batch: readonly CallText[]): Promise<boolean> {
  if (batch.some(({ call }) => isPredictAndScore(call))) return true;
  const ids = batch.flatMap(({ call: { parent_id } }) => parent_id ?? []);
  const parentIds = batch.map(({ call: { id } }) => id);
  for (const scope of [{ ids: [...new Set(ids)] }, { parentIds }])
    for await (const some of calls.scan(project, scope))
      if (some.some(({ call }) => isPredictAndScore(call))) return true;
  return false;
}

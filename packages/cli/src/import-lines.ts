// Imports lines of JSON into a store, whichever it is, and keeps the first bad ones to be shown.

import type { BadLine, ImportReport, LineKind } from "@assay/adapters-http";
import { importCalls, importRows, readLines } from "@assay/adapters-lines";
import type { Issue } from "@assay/base";
import type { CallWriter, RowWriter } from "@assay/eval-engine";

/** Bad lines of an import that are kept to be shown; more are counted. */
const SHOWN = 100;

/** Writes what the lines hold. */
export async function importLines(
  { calls, rows }: { readonly calls: CallWriter; readonly rows: RowWriter },
  project: string,
  kind: LineKind,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ImportReport> {
  const bad: BadLine[] = [];
  const onBadLine = (line: number, issues: readonly Issue[]) => {
    if (bad.length < SHOWN) bad.push({ line, reason: issues.map(({ message }) => message).join("; ") });
  };
  const lines = readLines(bytes);
  const { badLines, ...done } = await (kind === "calls"
    ? importCalls(calls, project, lines, { onBadLine })
    : importRows(rows, project, lines, { onBadLine }));
  return { ...done, bad_lines: badLines, bad };
}

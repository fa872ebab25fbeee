// Exports lines of JSON from any store.

import type { LineKind } from "@assay/adapters-http/internal";
import type { CallScan, RowScan } from "@assay/calls";
import { exportCalls, exportRows } from "@assay/calls/lines";

/** A project's content, or that of some evaluations, as whole lines. */
export async function* exportLines(
  { calls, rows }: { readonly calls: CallScan; readonly rows: RowScan },
  project: string,
  kind: LineKind,
  evaluations: readonly string[] | undefined,
): AsyncGenerator<Uint8Array> {
  if (kind === "calls") {
    for await (const some of exportCalls(calls, project, evaluations))
      if (some.length > 0) yield linesOf(some.map(({ text }) => text));
  } else {
    for await (const some of exportRows(calls, rows, project, evaluations))
      if (some.length > 0) yield linesOf(some);
  }
}

function linesOf(texts: readonly string[]): Uint8Array {
  return Buffer.concat(texts.flatMap((text) => [Buffer.from(text), NEWLINE]));
}

const NEWLINE = Buffer.from("\n");

// The list of evaluations as a table.

import type { CountedEvaluation } from "@assay/eval-engine";
import { cutText, refName } from "@assay/eval-engine/words";
import { tableOf } from "./table.ts";

/** A table of evaluations for a terminal with `width` columns. IDs are not cut, because queries need them. */
export function evaluationsTable(evaluations: readonly CountedEvaluation[], width: number): string {
  return tableOf(
    ["id", "name", "model", "rows", "trials", "started"],
    evaluations.map(({ id, name, model, rows, trials, started_at }) => [
      id,
      cutText(name ?? ""),
      cutText(refName(model) ?? ""),
      rows.toLocaleString("en"),
      trials.toLocaleString("en"),
      started_at?.slice(0, 16).replace("T", " ") ?? "",
    ]),
    { width, tight: true, whole: 0 },
  );
}

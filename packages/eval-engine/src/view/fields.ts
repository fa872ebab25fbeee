// The fields of evaluations, for choosing filters, columns and groups.

import { ok, type Result } from "@assay/base";
import { compareText } from "@assay/base/internal";
import { modelOutputOf, scoresOf } from "@assay/calls/internal";
import type { FieldPath } from "@assay/query-lang";
import { printFieldPath } from "@assay/query-lang/internal";
import { PARSE_COST, type Work } from "../kernels/work.ts";
import type { SelectedRows } from "../statistics/rows/selected-rows.ts";
import { FieldTally } from "./field-tally.ts";
import type { ViewRows } from "./view-rows.ts";
import type { FieldOutline, FieldsResults } from "./wire/response.ts";
import { MEAN } from "./wire/row-filters.ts";

/** The number of rows of an evaluation whose first outputs are read. */
const ROWS_LOOKED_AT = 1000;

/** Answers with the fields of the evaluations of a view, whose query has no filters. */
export async function fieldsOf(view: ViewRows, work: Work): Promise<Result<FieldsResults>> {
  const { selection } = view;
  const inputs = new FieldTally();
  for await (const rows of view.allRows()) for (const row of rows) inputs.add(row, ["inputs"]);
  const [scores, outputs] = [new FieldTally(), new FieldTally()];
  let lookedAt = 0;
  for (const e of selection.evaluations.keys()) {
    for (const output of view.outputs(e, ROWS_LOOKED_AT)) {
      lookedAt++;
      scores.add(scoresOf(output), ["scores"]);
      outputs.add(modelOutputOf(output), ["outputs"]);
      const pause = work.spend(PARSE_COST);
      if (pause !== undefined) await pause;
    }
  }
  const measures = selection.leaves.map((leaf) => measureOutline(selection, ["scores", ...leaf]));
  const known = new Set(measures.map(({ field }) => field));
  const texts = scores.outlines().filter(({ field }) => !known.has(field));
  return ok({
    rows: selection.length,
    inputs: inputs.outlines(),
    scores: [...measures, ...texts].sort((a, b) => compareText(a.field, b.field)),
    outputs: outputs.outlines(),
    looked_at: lookedAt,
  });
}

/** A measure, from the values of all rows in all evaluations. */
function measureOutline({ evaluations }: SelectedRows, path: FieldPath): FieldOutline {
  const types = new Set<"boolean" | "number">();
  let [count, min, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { places, values } of evaluations) {
    const of = values(path, MEAN);
    for (const place of places) {
      const state = place === -1 || of.stateOf === undefined ? place : of.stateOf[place]!;
      const value = state === -1 ? Number.NaN : of.values[state]!;
      if (Number.isNaN(value)) continue;
      count++;
      types.add(of.numeric[state] === 1 ? "number" : "boolean");
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  return {
    field: printFieldPath(path),
    types: [...types].sort(),
    count,
    min: count === 0 ? null : min,
    max: count === 0 ? null : max,
    values: [],
  };
}

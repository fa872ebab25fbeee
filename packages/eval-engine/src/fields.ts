// The fields a query may name (docs/reference/semantics.md, "Fields") and what each reads of a trial.

import type { Json } from "@assay/base";
import { modelOutputOf, scoresOf } from "@assay/calls";
import { type FieldPath, getPath } from "@assay/query-lang";
import type { Trial } from "./trials.ts";

const FIELDS = "scores.<path>, outputs, outputs.<path>, output.<path>, inputs, inputs.<path>, row_digest";

/** Why a path is no field of a trial, in words, or undefined when it is one. Whether any row has it nobody looks up. */
export function fieldFault(path: FieldPath): string | undefined {
  const known =
    path[0] === "outputs" ||
    path[0] === "inputs" ||
    ((path[0] === "scores" || path[0] === "output") && path.length > 1) ||
    (path[0] === "row_digest" && path.length === 1);
  return known ? undefined : `no field ${JSON.stringify(path.join("."))}; the fields are ${FIELDS}`;
}

/** The value of a field in a trial. `row` is the trial's row: the resolved dataset row, or the inline example. */
export function readField(path: FieldPath, trial: Trial, row: Json): Json {
  switch (path[0]) {
    case "scores":
      return getPath(scoresOf(trial.output), path, 1);
    case "outputs":
      return getPath(modelOutputOf(trial.output), path, 1);
    case "output":
      return getPath(trial.output, path, 1);
    case "inputs":
      return getPath(row, path, 1);
    default:
      return trial.digest;
  }
}

// Reads the value of a field (docs/reference/semantics.md, "Fields") from a trial.

import type { Json } from "@assay/base";
import { modelOutputOf, scoresOf } from "@assay/calls/internal";
import { type FieldPath, getPath } from "@assay/query-lang";
import type { Trial } from "./trials.ts";

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

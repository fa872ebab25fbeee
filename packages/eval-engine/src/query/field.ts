// A field that a query names (docs/reference/semantics.md, "Fields"), parsed from its path once. Other code uses the
// field, and never parses the path again.

import { excerpt, shownName } from "@assay/base/internal";
import type { FieldPath } from "@assay/query-lang";

/** The unit that has one value of a field: each trial, or each example (for fields of the row, which trials share). */
export type Domain = "trials" | "examples";

/** A field of a trial or of its row. */
export interface Field {
  /**
   * The part of the trial: its scores, its output as logged (`output`) or as the model returned it (`outputs`), its
   * row, or the row's digest.
   */
  readonly of: "scores" | "output" | "outputs" | "inputs" | "row_digest";
  readonly path: FieldPath;
  readonly domain: Domain;
  /** Equal for equal paths; caches use it as their key. */
  readonly key: string;
}

/** Fields by their path objects. Paths are immutable, and a query has one object for each. */
const known = new WeakMap<FieldPath, Field>();

/** The field at a path for which `fieldFault` found nothing wrong. */
export function fieldAt(path: FieldPath): Field {
  let field = known.get(path);
  if (field === undefined) {
    const of = path[0] as Field["of"];
    const domain = of === "inputs" || of === "row_digest" ? "examples" : "trials";
    field = { of, path, domain, key: JSON.stringify(path) };
    known.set(path, field);
  }
  return field;
}

/** Why a path is not a field of a trial; undefined if it is. Does not check whether any row has it. */
export function fieldFault(path: FieldPath): string | undefined {
  const [first] = path;
  const needsPath = first === "scores" || first === "output";
  if (first === "outputs" || first === "inputs") return undefined;
  if (path.length > 1 ? needsPath : first === "row_digest") return undefined;
  const name = shownName(path.join("."));
  const part = needsPath ? "<path>" : name;
  const fields = `scores.${part}, outputs, outputs.${part}, output.${part}, inputs, inputs.${part}, row_digest`;
  return `unknown field ${excerpt(name)}; the fields are ${fields}`;
}

// How the page writes fields of filters, and which field a written name means.

import { measureName } from "@assay/eval-engine/words";

/** The typed field, possibly as the page shows it: `kind` is `inputs.kind`, and `scores["f.1"]` is `scores.f\\.1`. */
export function fieldNamed(typed: string, fields: readonly string[]): string {
  const isTyped = (field: string): boolean => [fieldText(field), measureName(field)].includes(typed);
  return fields.includes(typed) ? typed : (fields.find(isTyped) ?? typed);
}

/** A field as its chip shows it. */
export function fieldText(field: string): string {
  return field.startsWith("inputs.") ? field.slice("inputs.".length) : measureName(field);
}

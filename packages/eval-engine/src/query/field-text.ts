// Readable names of fields, in a form that conditions and options accept.

import { printField, readFieldPath } from "@assay/query-lang/internal";

/** The readable name of a field from a request: `scores.f1\.macro` is `scores["f1.macro"]`. */
export function fieldText(field: string): string {
  const path = readFieldPath(field);
  return path.ok ? printField(path.value) : field;
}

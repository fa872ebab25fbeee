// Ranges of numbers in query strings, shared by the reader and the OpenAPI document.

import { bad, type Json, ok, type Result } from "@assay/base";

/** The allowed range of a number. */
export interface NumberRange {
  readonly least: number;
  readonly most: number;
  /** The default. */
  readonly absent: number;
  readonly whole: boolean;
}

/** Its schema in the OpenAPI document. */
export function numberSchema({ least, most, absent, whole }: NumberRange): { readonly [name: string]: Json } {
  return { type: whole ? "integer" : "number", minimum: least, maximum: most, default: absent };
}

/** Checks that a number is within its range. */
export function readNumber(
  query: URLSearchParams,
  name: string,
  { least, most, absent, whole }: NumberRange,
): Result<number> {
  const text = query.get(name);
  if (text === null) return ok(absent);
  const value = /^-?\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return ok(value);
  const what = whole ? "a whole number" : "a number";
  return bad([{ code: "range", path: [name], message: `${name} is ${what} from ${least} to ${most}` }]);
}

// Results: how a function answers when the caller's data may be wrong. Never throws.

/** One thing that is wrong with the caller's data. */
export interface Issue {
  /** What kind of fault, from a closed set that the function documents: callers branch on this. */
  readonly code: string;
  /** Where it is, from the root of what was given: keys and array indexes. */
  readonly path: readonly (string | number)[];
  /** What is wrong, with which value, and what would be right. Lower case, no full stop. */
  readonly message: string;
}

/** A value, or every issue that stood in its way. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A result that holds `value`. */
export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

/** A result that holds issues. `issues` must not be empty. */
export function bad(issues: readonly Issue[]): Result<never> {
  return { ok: false, issues };
}

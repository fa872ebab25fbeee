// Results: return values of functions whose input may be invalid. Such functions do not throw for invalid input.

/** One error in the caller's data. */
export interface Issue {
  /** The kind of error, from a closed set that the function documents, for callers to branch on. */
  readonly code: string;
  /** Its path from the root of the input: keys and array indexes. */
  readonly path: readonly (string | number)[];
  /** What is wrong, with the value, and what would be valid. In lower case, without a full stop. */
  readonly message: string;
}

/** A value, or all issues that prevented it. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A result with `value`. */
export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

/** A result with issues. `issues` must not be empty. */
export function bad(issues: readonly Issue[]): Result<never> {
  return { ok: false, issues };
}

// Three-valued logic: true, false and unknown (null).

import type { Truth } from "./value.ts";

/** False if any is false, else unknown if any is unknown, else true. */
export function allOf(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}

/** True if any is true, else unknown if any is unknown, else false. */
export function anyOf(truths: readonly Truth[]): Truth {
  if (truths.includes(true)) return true;
  return truths.includes(null) ? null : false;
}

/** The reverse; unknown stays unknown. */
export function negate(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

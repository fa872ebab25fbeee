// Elementary functions in arithmetic alone, from stdlib. Those of Math, and the operator **, are left to each JavaScript
// engine, and differ in the last digit from one to another: an answer must be the same bytes on any machine.

import cos from "@stdlib/math-base-special-cos";
import exp from "@stdlib/math-base-special-exp";
import expm1 from "@stdlib/math-base-special-expm1";
import ln from "@stdlib/math-base-special-ln";
import log1p from "@stdlib/math-base-special-log1p";
import sin from "@stdlib/math-base-special-sin";

export { cos, exp, expm1, ln, log1p, sin };

/** x². */
export function square(x: number): number {
  return x * x;
}

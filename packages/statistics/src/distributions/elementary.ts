// Elementary functions from stdlib, in plain arithmetic. Those of Math, and the operator **, differ in the last digit
// between JavaScript engines, but an answer must have the same bytes on any machine.

import cos from "@stdlib/math-base-special-cos";
import exp from "@stdlib/math-base-special-exp";
import expm1 from "@stdlib/math-base-special-expm1";
import ln from "@stdlib/math-base-special-ln";
import log1p from "@stdlib/math-base-special-log1p";
import sin from "@stdlib/math-base-special-sin";

export { cos, exp, expm1, ln, log1p, sin };

export function square(x: number): number {
  return x * x;
}

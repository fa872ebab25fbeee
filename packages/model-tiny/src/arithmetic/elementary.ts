// Elementary functions in plain arithmetic. Those of Math differ in the last digit between JavaScript engines, but
// the same training must give the same weights on any machine.
import exp from "@stdlib/math-base-special-exp";
import ln from "@stdlib/math-base-special-ln";

export { exp, ln };

/** The hyperbolic tangent, accurate to 3e-16, which is enough for the units of a network. */
export function tanh(x: number): number {
  const e = exp(-2 * Math.abs(x));
  const size = (1 - e) / (1 + e);
  return x < 0 ? -size : size;
}

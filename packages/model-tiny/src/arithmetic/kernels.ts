// The two hot loops: a matrix times a vector, and its backward pass. Both process four rows at a time, because a loop
// that loads and stores its sum for each product waits for memory, which took a third of the time. Each is a separate
// function and sees one kind of array, so that the compiler can specialise it.

/**
 * `out[j] += x[k] * matrix[k][j]` for all `k` and `j`. The matrix consists of the rows of `weights` from `at`, each as
 * long as `out`; their number, the length of `x`, is a multiple of 4.
 */
export function multiply(weights: Float32Array, at: number, x: Float64Array, out: Float64Array): void {
  const width = out.length;
  for (let k = 0; k < x.length; k += 4) {
    const a = at + k * width;
    const b = a + width;
    const c = b + width;
    const d = c + width;
    const [xa, xb, xc, xd] = [x[k]!, x[k + 1]!, x[k + 2]!, x[k + 3]!];
    for (let j = 0; j < width; j++) {
      out[j]! += xa * weights[a + j]! + xb * weights[b + j]! + xc * weights[c + j]! + xd * weights[d + j]!;
    }
  }
}

/**
 * The backward pass of `multiply`: given the slope of the loss in each of `out`, adds the slope in each weight to
 * `gradient`, which is laid out like `weights`, and writes the slope in each of `x` to `xSlopes`.
 */
export function multiplyBack(
  weights: Float32Array,
  at: number,
  x: Float64Array,
  outSlopes: Float64Array,
  gradient: Float64Array,
  xSlopes: Float64Array,
): void {
  const width = outSlopes.length;
  for (let k = 0; k < x.length; k += 4) {
    const a = at + k * width;
    const b = a + width;
    const c = b + width;
    const d = c + width;
    const [xa, xb, xc, xd] = [x[k]!, x[k + 1]!, x[k + 2]!, x[k + 3]!];
    let [sa, sb, sc, sd] = [0, 0, 0, 0];
    for (let j = 0; j < width; j++) {
      const slope = outSlopes[j]!;
      gradient[a + j]! += xa * slope;
      gradient[b + j]! += xb * slope;
      gradient[c + j]! += xc * slope;
      gradient[d + j]! += xd * slope;
      sa += slope * weights[a + j]!;
      sb += slope * weights[b + j]!;
      sc += slope * weights[c + j]!;
      sd += slope * weights[d + j]!;
    }
    xSlopes[k] = sa;
    xSlopes[k + 1] = sb;
    xSlopes[k + 2] = sc;
    xSlopes[k + 3] = sd;
  }
}

/** `to[toAt + j] += scale * from[fromAt + j]` for `count` numbers. */
export function addScaled(
  to: Float64Array,
  toAt: number,
  from: Float32Array | Float64Array,
  fromAt: number,
  scale: number,
  count: number,
): void {
  for (let j = 0; j < count; j++) to[toAt + j]! += scale * from[fromAt + j]!;
}

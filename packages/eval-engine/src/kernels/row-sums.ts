// Plain sums over the rows of one or two evaluations: of values, of their squares and products, and of the variances
// within rows. Rounding is not compensated, so the caller must ensure that no addition rounds. Reads each row once. The
// naive form is `moments` of the combined values.

/** The sums of the values of some rows. */
export interface ValueSums {
  /** The number of rows with a value. */
  readonly n: number;
  readonly sum: number;
  readonly squares: number;
  /** The number of their trials. */
  readonly trials: number;
}

/** Sums `values` over the rows at `places`, without NaN; `known` has the number of trials of each row. */
export function addValues(values: Float64Array, known: Uint32Array, places: Int32Array): ValueSums {
  let n = 0;
  let sum = 0;
  let squares = 0;
  let trials = 0;
  for (let k = 0; k < places.length; k++) {
    const place = places[k]!;
    const value = values[place]!;
    if (Number.isNaN(value)) continue;
    n++;
    sum += value;
    squares += value * value;
    trials += known[place]!;
  }
  return { n, sum, squares, trials };
}

/** The sums of pairs of values, a and b. */
export interface ProductSums {
  /** The number of rows with both values. */
  readonly n: number;
  readonly sumA: number;
  readonly sumB: number;
  readonly squaresA: number;
  readonly squaresB: number;
  /** Σa·b. */
  readonly products: number;
  /** The number of rows where b is greater. */
  readonly up: number;
  /** The number of rows where b is less. */
  readonly down: number;
  /** The smallest nonzero |b − a|; infinity if there is none. */
  readonly least: number;
  /** Σ|b − a|. */
  readonly distance: number;
}

/** Two evaluations: their values, and the place of each row in them. */
export interface Sides<T> {
  readonly a: T;
  readonly b: T;
}

/**
 * Sums the pairs of rows where neither value is NaN; `places` has the same rows on both sides. Writes the places of
 * the pairs to `kept`, one after the other.
 */
export function addProducts(
  values: Sides<Float64Array>,
  places: Sides<Int32Array>,
  kept: Sides<Int32Array>,
): ProductSums {
  const valuesA = values.a;
  const valuesB = values.b;
  const placesA = places.a;
  const placesB = places.b;
  const keptA = kept.a;
  const keptB = kept.b;
  let n = 0;
  let sumA = 0;
  let sumB = 0;
  let squaresA = 0;
  let squaresB = 0;
  let products = 0;
  let up = 0;
  let down = 0;
  let distance = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < placesA.length; k++) {
    const placeA = placesA[k]!;
    const placeB = placesB[k]!;
    const a = valuesA[placeA]!;
    const b = valuesB[placeB]!;
    const d = b - a;
    if (Number.isNaN(d)) continue;
    keptA[n] = placeA;
    keptB[n] = placeB;
    n++;
    sumA += a;
    sumB += b;
    squaresA += a * a;
    squaresB += b * b;
    products += a * b;
    // Without a branch, because which side is greater is unpredictable.
    up += Number(d > 0);
    down += Number(d < 0);
    const size = Math.abs(d);
    distance += size;
    if (size < least && size > 0) least = size;
  }
  return { n, sumA, sumB, squaresA, squaresB, products, up, down, least, distance };
}

/** The variation of trials within rows, on two sides. */
export interface WithinSums {
  /** The sum of the variances within rows with at least two trials. */
  readonly sums: Sides<number>;
  /** The number of these rows. */
  readonly rows: Sides<number>;
  /** The number of rows whose trials vary on one side. */
  readonly flaky: number;
}

/**
 * Sums the variances within the rows at `places`, which are unknown for rows with one trial. Adds the number of rows
 * with each number of trials, up to the largest, to `rowsByTrials`.
 */
export function addWithin(
  within: Sides<Float64Array>,
  known: Sides<Uint32Array>,
  places: Sides<Int32Array>,
  rowsByTrials: Sides<Float64Array>,
): WithinSums {
  const placesA = places.a;
  const placesB = places.b;
  const withinA = within.a;
  const withinB = within.b;
  const knownA = known.a;
  const knownB = known.b;
  const byTrialsA = rowsByTrials.a;
  const byTrialsB = rowsByTrials.b;
  const mostA = byTrialsA.length - 1;
  const mostB = byTrialsB.length - 1;
  let fullA = 0;
  let fullB = 0;
  let sumA = 0;
  let sumB = 0;
  let rowsA = 0;
  let rowsB = 0;
  let flaky = 0;
  for (let k = 0; k < placesA.length; k++) {
    const placeA = placesA[k]!;
    const placeB = placesB[k]!;
    const trialsA = knownA[placeA]!;
    const trialsB = knownB[placeB]!;
    const a = withinA[placeA]!;
    const b = withinB[placeB]!;
    // Nearly all rows have the same number of trials: each would wait for the count that the one before it wrote.
    if (trialsA === mostA) fullA++;
    else byTrialsA[trialsA]!++;
    if (trialsB === mostB) fullB++;
    else byTrialsB[trialsB]!++;
    if (trialsA > 1) {
      sumA += a;
      rowsA++;
    }
    if (trialsB > 1) {
      sumB += b;
      rowsB++;
    }
    // An unknown variance (NaN) is not above 0.
    flaky += Number(a > 0) | Number(b > 0);
  }
  byTrialsA[mostA]! += fullA;
  byTrialsB[mostB]! += fullB;
  return { sums: { a: sumA, b: sumB }, rows: { a: rowsA, b: rowsB }, flaky };
}

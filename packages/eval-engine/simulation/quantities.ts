// What the simulations draw. Each quantity is a function of a latent number, and latent numbers can be mixed: what
// comes of it has the same distribution, and goes together with what it was mixed from. So the trials of a row, the
// rows of a cluster and the two sides of a pair are correlated, and the true mean stays known exactly.

import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Seeded random numbers. */
export interface Random {
  /** From 0 up to, not including, 1. */
  uniform(): number;
  /** Of the standard normal distribution. */
  normal(): number;
}

/** Random numbers of xoroshiro128+ from a seed. */
export function randomOf(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  const uniform = (): number => uniformFloat64(generator);
  // Box and Muller's pair, of which the second is kept for the next call.
  let kept: number | undefined;
  const normal = (): number => {
    if (kept !== undefined) {
      const value = kept;
      kept = undefined;
      return value;
    }
    const [radius, angle] = [Math.sqrt(-2 * Math.log(1 - uniform())), 2 * Math.PI * uniform()];
    kept = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
  return { uniform, normal };
}

/** A kind of value that a trial may have. */
export interface Quantity {
  readonly label: string;
  /** The true mean. */
  readonly mean: number;
  /** Whether a trial is 0 or 1. */
  readonly isBoolean: boolean;
  /** A fresh latent number. */
  latent(random: Random): number;
  /** A latent number of the same distribution that shares so much with another, from 0 to 1. */
  mixed(latent: number, random: Random, share: number): number;
  /** The value that a latent number stands for. */
  value(latent: number): number;
}

/** Passes with this probability. */
export function passing(probability: number): Quantity {
  return {
    label: `booleans at ${probability}`,
    mean: probability,
    isBoolean: true,
    latent: (random) => random.uniform(),
    mixed: (latent, random, share) => (random.uniform() < share ? latent : random.uniform()),
    value: (latent) => (latent < probability ? 1 : 0),
  };
}

/** `scale` times e to the power of a normal number of this standard deviation: skewed to the right. */
export function lognormal(sigma: number, scale = 1): Quantity {
  return {
    label: `lognormal, σ ${sigma}`,
    mean: scale * Math.exp(sigma ** 2 / 2),
    isBoolean: false,
    latent: (random) => random.normal(),
    mixed: (latent, random, share) => latent * Math.sqrt(share) + random.normal() * Math.sqrt(1 - share),
    value: (latent) => scale * Math.exp(sigma * latent),
  };
}

/** How rows are drawn. */
export interface Design {
  readonly rows: number;
  readonly trials: number;
  /** How many clusters the rows are dealt out to in turn; each row alone when not given. */
  readonly clusters?: number | undefined;
  /** How much the rows of a cluster share, from 0 to 1. Default 0.5. */
  readonly alike?: number | undefined;
}

/** How much the trials of a row share, and the rows of a cluster where nothing else is said. */
const SHARE = 0.5;

/** The row means of evaluations of the same rows, one for each quantity; all must share one kind of latent number. */
export function drawRows(quantities: readonly Quantity[], design: Design, random: Random): Float64Array[] {
  const [kind] = quantities;
  const clusters = Array.from({ length: design.clusters ?? 0 }, () => kind!.latent(random));
  const values = quantities.map(() => new Float64Array(design.rows));
  for (let i = 0; i < design.rows; i++) {
    const row =
      clusters.length === 0
        ? kind!.latent(random)
        : kind!.mixed(clusters[i % clusters.length]!, random, design.alike ?? SHARE);
    for (const [k, quantity] of quantities.entries()) {
      let sum = 0;
      for (let t = 0; t < design.trials; t++) sum += quantity.value(quantity.mixed(row, random, SHARE));
      values[k]![i] = sum / design.trials;
    }
  }
  return values;
}

/** Each row's cluster, as `drawRows` deals them out. */
export function clustersOf({ rows, clusters }: Design): Int32Array {
  return Int32Array.from({ length: rows }, (_, i) => (clusters === undefined ? i : i % clusters));
}

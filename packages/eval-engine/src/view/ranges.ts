// Ranges of equal width between two numbers, with round bounds: 0, 0.05, 0.1 …

/** The bounds of ranges, one more than ranges, and how to find a number's range. */
export interface Ranges {
  /** Ascending. Each range includes its lower bound; only the last one includes its upper bound. */
  readonly bounds: readonly number[];
  /** The range of a number between the first and the last bound. */
  rangeOf(number: number): number;
}

/**
 * About `count` ranges that cover all numbers from `least` to `greatest`; a single one if they are too close together
 * or too far apart.
 */
export function rangesOf(least: number, greatest: number, count: number): Ranges {
  const bounds = boundsOf(least, greatest, count) ?? [least, greatest];
  const last = bounds.length - 2;
  const width = (bounds.at(-1)! - bounds[0]!) / (bounds.length - 1);
  return {
    bounds,
    rangeOf(number) {
      // If division rounds to the wrong side of a bound, the bounds decide.
      let range = Math.max(0, Math.min(last, Math.floor((number - bounds[0]!) / width)));
      while (range > 0 && number < bounds[range]!) range--;
      while (range < last && number >= bounds[range + 1]!) range++;
      return range;
    },
  };
}

function boundsOf(least: number, greatest: number, count: number): readonly number[] | undefined {
  const raw = (greatest - least) / count;
  const power = Math.floor(Math.log10(raw));
  if (!Number.isFinite(raw) || !Number.isFinite(power) || Math.abs(power) > 290) return undefined;
  const [factor] = [1, 2, 5, 10].filter((one) => one * 10 ** power >= raw);
  const unit = factor ?? 10;
  // Multiples of a power of ten are computed as quotients, which are exact where products are not: 3 / 10, not 3 *
  // 0.1.
  const multiple = (k: number): number => (power < 0 ? (k * unit) / 10 ** -power : k * unit * 10 ** power);
  const step = multiple(1);
  let [first, last] = [Math.floor(least / step), Math.ceil(greatest / step)];
  if (Math.abs(first) > 2 ** 40 || Math.abs(last) > 2 ** 40) return undefined;
  while (multiple(first) > least) first--;
  while (multiple(last) < greatest) last++;
  const bounds = Array.from({ length: last - first + 1 }, (_, k) => multiple(first + k));
  return bounds.every((bound, k) => k === 0 || bound > bounds[k - 1]!) ? bounds : undefined;
}

/**
 * The quantile at `p` of values in ascending order, by linear interpolation at (n − 1)·p (type 7 of Hyndman and Fan,
 * 1996; the default of R and NumPy). Null without values.
 */
export function quantile(ascending: ArrayLike<number>, p: number): number | null {
  const n = ascending.length;
  if (n === 0) return null;
  const place = (n - 1) * p;
  const below = Math.floor(place);
  const low = ascending[below]!;
  if (below + 1 >= n) return low;
  return low + (place - below) * (ascending[below + 1]! - low);
}

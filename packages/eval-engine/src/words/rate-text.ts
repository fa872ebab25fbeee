// Rates and their differences in words: per cent, and points.

/** A rate from 0 to 1 as a percentage, such as `42.5%`. */
export function rateText(rate: number, decimals = 1): string {
  return `${(rate * 100).toFixed(decimals)}%`;
}

/** A difference of rates in points, with its sign; ± if it rounds to 0. */
export function pointsText(difference: number, decimals = 1): string {
  const points = Math.abs(100 * difference).toFixed(decimals);
  return `${Number(points) === 0 ? "±" : difference < 0 ? "−" : "+"}${points}`;
}

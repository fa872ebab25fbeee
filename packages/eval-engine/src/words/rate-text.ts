// Rates and their differences as a person reads them: per cent, and points of it.

/** A rate from 0 to 1 in per cent. */
export function rateText(rate: number, decimals = 1): string {
  return `${(rate * 100).toFixed(decimals)} %`;
}

/** A difference of rates in points, with its sign; one too small to be seen has neither. */
export function pointsText(difference: number, decimals = 1): string {
  const points = Math.abs(100 * difference).toFixed(decimals);
  return `${Number(points) === 0 ? "±" : difference < 0 ? "−" : "+"}${points}`;
}

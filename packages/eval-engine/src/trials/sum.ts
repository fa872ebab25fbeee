// The mean of a sum, as responses say it.

/** `sum / count`, or null when there is nothing or no finite mean. */
export function meanOf(sum: number, count: number): number | null {
  const mean = sum / count;
  return count > 0 && Number.isFinite(mean) ? mean : null;
}

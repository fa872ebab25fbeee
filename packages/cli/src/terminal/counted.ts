// Counts in messages.

/** A number with its unit. */
export function counted(value: number, what: string): string {
  return `${value.toLocaleString("en")} ${what}${value === 1 ? "" : "s"}`;
}

// Numbers as a person reads them: four digits say all that a table must.

/** A number with four significant digits. */
export function numberText(value: number): string {
  return String(Number(value.toPrecision(4)));
}

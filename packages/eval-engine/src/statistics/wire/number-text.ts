// Numbers as a person reads them: four digits say all that a table must.

/** A number with four significant digits. */
export function numberText(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** A p-value or a q-value. */
export function chanceText(chance: number): string {
  return chance < 0.0001 ? "< 0.0001" : String(Number(chance.toPrecision(2)));
}

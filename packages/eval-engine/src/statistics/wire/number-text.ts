// Formats numbers for people: four significant digits suffice for a table.

/** From here on, digits that were rounded away would be written as zeros. */
const LARGE = 1e9;

/** A number with four significant digits, very large and very small ones with an exponent. */
export function numberText(value: number): string {
  const rounded = Number(value.toPrecision(4));
  if (Math.abs(rounded) < LARGE) return String(rounded);
  // As a text: the greatest numbers round up to infinity.
  return value.toExponential(3).replace(/\.?0+e/, "e");
}

/** A p-value or a q-value. */
export function chanceText(chance: number): string {
  return chance < 0.0001 ? "< 0.0001" : String(Number(chance.toPrecision(2)));
}

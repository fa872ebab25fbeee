// Three scores of an answer: a boolean, a number and a nested object.
import type { Quantity } from "./quantity.ts";

/** Whether the answer is the expected quantity, up to rounding. */
export function correct(answer: Quantity | null, expected: Quantity): boolean {
  return answer?.unit === expected.unit && near(answer.value, expected.value, 1e-9);
}

/**
 * The number of orders of magnitude between the answer and the expected quantity: 3 for a spurious kilo. Null without
 * an answer.
 */
export function magnitudesOff(answer: Quantity | null, expected: Quantity): number | null {
  if (answer === null || answer.value <= 0 || expected.value <= 0) return null;
  return Math.abs(Math.log10(answer.value / expected.value));
}

/** The parts of the answer that are correct, and the unit and ratio that were given. */
export function parts(answer: Quantity | null, expected: Quantity): Readonly<Record<string, unknown>> {
  return {
    answered: answer !== null,
    unit: { same: answer?.unit === expected.unit, given: answer?.unit ?? "none" },
    value: {
      within_1_percent: answer !== null && near(answer.value, expected.value, 0.01),
      ratio: answer === null || expected.value === 0 ? null : answer.value / expected.value,
    },
  };
}

function near(a: number, b: number, tolerance: number): boolean {
  return Math.abs(a - b) <= tolerance * Math.abs(b);
}

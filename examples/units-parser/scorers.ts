// Three scores of one answer: a boolean, a number and a nested object.
import type { Quantity } from "./quantity.ts";

/** Whether the answer is the expected quantity, up to rounding. */
export function correct(answer: Quantity | null, expected: Quantity): boolean {
  return answer?.unit === expected.unit && near(answer.value, expected.value, 1e-9);
}

/** How many orders of magnitude the answer is off: 3 for kilo instead of nothing. Null without an answer. */
export function magnitudesOff(answer: Quantity | null, expected: Quantity): number | null {
  if (answer === null || answer.value <= 0 || expected.value <= 0) return null;
  return Math.abs(Math.log10(answer.value / expected.value));
}

/** What is right about the answer, and what it said instead. */
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

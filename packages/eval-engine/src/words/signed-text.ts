// Differences for people: always with a sign, also if positive.

import { numberText } from "../statistics/wire/number-text.ts";

/** A difference with its sign; without one if it rounds to 0 in four digits. */
export function signedText(difference: number): string {
  const text = numberText(Math.abs(difference));
  return text === "0" ? "±0" : `${difference < 0 ? "−" : "+"}${text}`;
}

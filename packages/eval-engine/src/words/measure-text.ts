// Measures and their values in words: pass rates in per cent and points, other numbers unchanged.

import { readFieldPath } from "@assay/query-lang/internal";
import { numberText } from "../statistics/wire/number-text.ts";
import type { MeasureComparison } from "../statistics/wire/response.ts";
import { cutText } from "./cut-text.ts";
import { fieldName } from "./field-name.ts";
import { pointsText, rateText } from "./rate-text.ts";
import { signedText } from "./signed-text.ts";

/** The kind of a measure's values; null without values. */
export type MeasureKind = MeasureComparison["kind"];

/** The two bounds of an interval. */
export interface Bounds {
  /** The lower bound. */
  readonly low: number;
  /** The upper bound. */
  readonly high: number;
}

/** Shown in place of a missing value. */
export const NO_VALUE = "—";

/** The name of a measure, from `fieldName`, shortened if it is long. */
export function measureName(field: string): string {
  const path = readFieldPath(field);
  return cutText(path.ok ? fieldName(path.value) : field);
}

/** The mean of an evaluation, as text. */
export function meanText(kind: MeasureKind, mean: number | null): string {
  if (mean === null) return NO_VALUE;
  return kind === "boolean" ? rateText(mean) : numberText(mean);
}

/** The bounds of a mean's interval: `28.5 to 57.8`. */
export function meanBoundsText(kind: MeasureKind, bounds: Bounds | null): string {
  if (bounds === null) return NO_VALUE;
  const text = (value: number): string =>
    kind === "boolean" ? rateText(value).replace("%", "") : numberText(value);
  return `${text(bounds.low)} to ${text(bounds.high)}`;
}

/** A difference with its unit, as precise as its interval allows. */
export function differenceText(kind: MeasureKind, difference: number | null, bounds: Bounds | null): string {
  if (difference === null) return NO_VALUE;
  return kind === "boolean" ? `${pointsText(difference, decimalsOf(bounds))} points` : signedText(difference);
}

/** The bounds of a difference's interval: `+16.1 to +55.3`. */
export function differenceBoundsText(kind: MeasureKind, bounds: Bounds | null): string {
  if (bounds === null) return NO_VALUE;
  const text = (value: number): string =>
    kind === "boolean" ? pointsText(value, decimalsOf(bounds)) : signedText(value);
  return `${text(bounds.low)} to ${text(bounds.high)}`;
}

/** A margin, without a sign. */
export function marginText(kind: MeasureKind, margin: number): string {
  if (kind !== "boolean") return numberText(margin);
  const points = numberText(100 * margin);
  return `${points} ${points === "1" ? "point" : "points"}`;
}

/** The name of intervals at this level: `95% CI`. */
export function levelText(level: number): string {
  return `${Number((100 * level).toPrecision(10))}% CI`;
}

/** A count with its noun, in the plural unless it is one. */
export function countText(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

/**
 * The decimals of an interval in points: one, and more for a very narrow interval, or if one of its bounds would round
 * to a 0 that it excludes.
 */
function decimalsOf(bounds: Bounds | null): number {
  if (bounds === null) return 1;
  const { low, high } = bounds;
  const decimals = Math.max(1, decimalsFor(50 * (high - low)));
  const nearest = 100 * Math.max(low, -high);
  return Math.min(4, nearest > 0 ? Math.max(decimals, decimalsFor(2 * nearest)) : decimals);
}

/** The decimals of the first digit of a number above 0. */
function decimalsFor(value: number): number {
  return value > 0 ? -Math.floor(Math.log10(value)) : 0;
}

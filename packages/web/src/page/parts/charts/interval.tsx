// Draws an interval: a line with ends, a dot at the estimate, and the position of zero.

import type { ComponentType } from "preact";
import { memo } from "../../state/memo.ts";

/** Intervals below each other share `reach`, the largest distance from zero, in their unit. */
export interface IntervalProps {
  readonly low: number;
  readonly high: number;
  readonly at: number;
  /** The axis goes from −reach to +reach. */
  readonly reach: number;
  /** Which side of zero is better; null if unknown. */
  readonly betterIs: "higher" | "lower" | null;
  /** Read by screen readers. */
  readonly label: string;
  /** Drawn dashed: the interval is wider because it is valid at any time during a running evaluation. */
  readonly running?: boolean;
}

/** The drawing. Positions are percentages, so that it fills its container. */
export const Interval: ComponentType<IntervalProps> = memo(function Interval(props: IntervalProps) {
  const { low, high, at, reach, betterIs, label, running } = props;
  const x = (value: number): string => `${percent(value, reach)}%`;
  const side = low > 0 ? "up" : high < 0 ? "down" : "open";
  const tone =
    side === "open" || betterIs === null
      ? "open"
      : (side === "up") === (betterIs === "higher")
        ? "better"
        : "worse";
  return (
    <svg class={`interval ${tone}${running ? " running" : ""}`} role="img" aria-label={label}>
      <line class="zero" x1="50%" x2="50%" y1="0" y2="100%" />
      <line class="whisker" x1={x(low)} x2={x(high)} y1="50%" y2="50%" />
      <line class="end" x1={x(low)} x2={x(low)} y1="25%" y2="75%" />
      <line class="end" x1={x(high)} x2={x(high)} y1="25%" y2="75%" />
      <circle cx={x(at)} cy="50%" r="4" />
    </svg>
  );
});

function percent(value: number, reach: number): number {
  if (!(reach > 0)) return 50;
  return Math.round(10 * Math.min(99, Math.max(1, 50 + (48 * value) / reach))) / 10;
}

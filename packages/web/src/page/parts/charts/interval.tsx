// Draws an interval: a line with ends, a dot at the estimate, and the position of zero if it is on the axis.

import type { ComponentType } from "preact";
import { memo } from "../../state/memo.ts";

/** Intervals below each other share an axis, in their unit. */
export interface IntervalProps {
  readonly low: number;
  readonly high: number;
  readonly at: number;
  /** The ends of the axis. */
  readonly from: number;
  readonly to: number;
  /** Which side of zero is better; null if unknown. */
  readonly betterIs: "higher" | "lower" | null;
  /** Read by screen readers. */
  readonly label: string;
  /** Drawn dashed: the interval is wider because it is valid at any time during a running evaluation. */
  readonly running?: boolean;
}

/** The drawing. Positions are percentages, so that it fills its container. */
export const Interval: ComponentType<IntervalProps> = memo(function Interval(props: IntervalProps) {
  const { low, high, at, from, to, betterIs, label, running } = props;
  const x = (value: number): string => `${percent((value - from) / (to - from))}%`;
  const side = low > 0 ? "up" : high < 0 ? "down" : "open";
  const tone =
    side === "open" || betterIs === null
      ? "open"
      : (side === "up") === (betterIs === "higher")
        ? "better"
        : "worse";
  return (
    <svg class={`interval ${tone}${running ? " running" : ""}`} role="img" aria-label={label}>
      {from <= 0 && to >= 0 && <line class="zero" x1={x(0)} x2={x(0)} y1="0" y2="100%" />}
      <line class="whisker" x1={x(low)} x2={x(high)} y1="50%" y2="50%" />
      <line class="end" x1={x(low)} x2={x(low)} y1="25%" y2="75%" />
      <line class="end" x1={x(high)} x2={x(high)} y1="25%" y2="75%" />
      <circle cx={x(at)} cy="50%" r="4" />
    </svg>
  );
});

/** The position of a share of the axis, with room for the ends of lines and for dots. */
function percent(share: number): number {
  if (!Number.isFinite(share)) return 50;
  return Math.round(10 * Math.min(99, Math.max(1, 2 + 96 * share))) / 10;
}

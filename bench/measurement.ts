// The results that programs pass to the report: one figure of one contender, with its spread.

import type { Timing } from "./interleave.ts";

/** Milliseconds, a size, a rate (higher is better), a count, or a share. */
export type Unit = "ms" | "bytes" | "KB" | "MB" | "calls/s" | "events/s" | "calls" | "nodes" | "MB/s" | "%";

/** One figure, identified by its data, workload and contender. */
export interface Measurement extends Timing {
  readonly data: string;
  readonly workload: string;
  readonly contender: string;
  readonly unit: Unit;
}

/** Returns the median of a measured figure, otherwise undefined. */
export type Lookup = (data: string, workload: string, contender: string) => number | undefined;

/** Looks up figures in `measurements`. */
export function lookupIn(measurements: readonly Measurement[]): Lookup {
  const medians = new Map(measurements.map((m) => [[m.data, m.workload, m.contender].join("\0"), m.median]));
  return (...name) => medians.get(name.join("\0"));
}

/** A single figure without spread. */
export function single(
  data: string,
  workload: string,
  contender: string,
  unit: Unit,
  value: number,
): Measurement {
  return { data, workload, contender, unit, median: value, p25: value, p75: value, min: value, runs: 1 };
}

// Tables in Markdown, aligned for a terminal.

import type { Machine } from "./machine.ts";
import { lookupIn, type Measurement } from "./measurement.ts";
import { isMet, TARGETS } from "./targets.ts";

/** A table with aligned columns; all but the first are right-aligned. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((name, c) =>
    Math.max(3, ...[name, ...rows.map((row) => row[c] ?? "")].map((t) => t.length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, c) => (c === 0 ? (cells[c] ?? "").padEnd(width) : (cells[c] ?? "").padStart(width))).join(" | ")} |`;
  const rule = `| ${widths.map((width, c) => (c === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [line(header), rule, ...rows.map(line)].join("\n");
}

/** A number with three significant digits. */
function brief(value: number): string {
  return value >= 1000 ? value.toFixed(0) : value.toPrecision(3);
}

const withSpread = ({ median, p25, p75, unit }: Measurement) =>
  unit === "bytes"
    ? `${(median / 2 ** 20).toFixed(0)} MiB`
    : `${brief(median)} (${brief(p25)}–${brief(p75)})${unit === "KB" || unit === "MB" || unit === "%" ? ` ${unit}` : ""}`;

/**
 * One table per data set: a row for each workload, a column for each contender; median and quartiles in milliseconds.
 */
export function measurementTables(measurements: readonly Measurement[]): string {
  return Array.from(new Set(measurements.map((m) => m.data)), (data) => {
    const own = measurements.filter((m) => m.data === data);
    const contenders = [...new Set(own.map((m) => m.contender))];
    const rows = Array.from(new Set(own.map((m) => m.workload)), (workload) => [
      workload,
      ...contenders.map((contender) => {
        const found = own.find((m) => m.workload === workload && m.contender === contender);
        return found === undefined ? "" : withSpread(found);
      }),
    ]);
    return table([`${data} (ms)`, ...contenders], rows);
  }).join("\n\n");
}

/** Every target with a measurement, and whether it is met. */
export function targetTable(measurements: readonly Measurement[]): string {
  const of = lookupIn(measurements);
  const rows = TARGETS.flatMap((target) => {
    const value = target.value(of);
    if (value === undefined) return [];
    const wanted = target.atLeast === undefined ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`;
    return [
      [
        target.what,
        `${wanted} ${target.unit}`,
        `${brief(value)} ${target.unit}`,
        isMet(target, value) ? "met" : "MISSED",
      ],
    ];
  });
  return table(["target", "required", "measured", ""], rows);
}

/** One line that describes the machine. */
export function machineLine({ cpu, cores, memory, system, node }: Machine): string {
  return `${cpu}, ${cores} cores, ${memory}, ${system}, Node ${node}`;
}

// The history of metrics, one on each line: first and last value, the least and the most, and a curve of block
// characters.

import { numberText } from "@assay/eval-engine/words";
import { tableOf } from "../../render/table.ts";

/** The metrics of one moment; values that are not numbers are ignored. */
export type MetricValues = { readonly [name: string]: unknown };

/** The most informative ones first. */
const FIRST = ["loss", "policy_loss", "reward", "entropy", "grad_norm", "learning_rate"];

/** More do not fit on a screen. */
const MOST_METRICS = 20;
const CURVE_COLUMNS = 24;
const BLOCKS = "▁▂▃▄▅▆▇█";

/** The numbers of a measurement by their names, the most informative first. */
export function numbersOf(measured: MetricValues): readonly (readonly [name: string, value: number])[] {
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return Object.entries(measured)
    .filter((entry): entry is [string, number] => typeof entry[1] === "number")
    .sort(([a], [b]) => rank(a) - rank(b));
}

/** A table of the metrics that were measured more than once, in `width` columns; undefined without any. */
export function historyTable(
  title: string,
  measurements: readonly MetricValues[],
  width: number,
): string | undefined {
  const curves = new Map<string, number[]>();
  for (const measured of measurements)
    for (const [name, value] of numbersOf(measured)) {
      const values = curves.get(name) ?? [];
      values.push(value);
      curves.set(name, values);
    }
  const shown = [...curves].filter(([, values]) => values.length > 1);
  if (shown.length === 0) return undefined;
  const rows = shown
    .slice(0, MOST_METRICS)
    .map(([name, values]) => [
      name,
      ...[values[0]!, values.at(-1)!, least(values), most(values)].map(numberText),
      curveText(values),
    ]);
  const left = shown.length - rows.length;
  const more = left > 0 ? [[`and ${left} more`, "", "", "", "", ""]] : [];
  return tableOf([title, "first", "last", "least", "most", "curve"], [...rows, ...more], {
    width,
    tight: true,
  });
}

/** A curve of at most `CURVE_COLUMNS` blocks, each the mean of its part of a longer history. */
function curveText(values: readonly number[]): string {
  const columns = Math.min(values.length, CURVE_COLUMNS);
  const means = Array.from({ length: columns }, (_, i) => {
    const part = values.slice(
      Math.floor((i * values.length) / columns),
      Math.floor(((i + 1) * values.length) / columns),
    );
    return part.reduce((sum, value) => sum + value / part.length, 0);
  });
  const [low, high] = [least(means), most(means)];
  const block = (value: number) =>
    BLOCKS[high > low ? Math.round(((value - low) / (high - low)) * (BLOCKS.length - 1)) : 0];
  return means.map(block).join("");
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b));
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b));
}

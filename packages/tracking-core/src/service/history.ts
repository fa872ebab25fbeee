// Reads a run's logged lines: pages by step, and samples of a whole history for charts.

import { isJsonObject } from "@assay/base/internal";
import type { TrackingServiceParts } from "../ports/context.ts";
import { metricValue } from "../run/metric-value.ts";
import type { Line, Run } from "../run/run.ts";

/** The number of lines per read. */
const PAGE = 2000;
/** The most lines that a sample reads: a longer history is thinned out first. */
const LOOKED_AT = 200_000;

/** Which lines of a history to read. */
export interface HistoryRange {
  /** The first step. */
  readonly minStep: number;
  /** The step after the last. */
  readonly maxStep: number;
  /** The most lines. */
  readonly limit: number;
  /** Only lines with a non-null value for each of these. */
  readonly keys?: readonly string[] | undefined;
}

/** Lines of the run's history by step. */
export async function historyRange(
  { store }: TrackingServiceParts,
  run: Run,
  { minStep, maxStep, limit, keys = [] }: HistoryRange,
): Promise<readonly Line[]> {
  const found: Line[] = [];
  let after: Line | undefined;
  while (found.length < limit) {
    const atOnce = keys.length === 0 ? Math.min(PAGE, limit - found.length) : PAGE;
    const page = await store.history(run.id, { minStep, maxStep, ...(after && { after }), limit: atOnce });
    for (const line of page) if (found.length < limit && hasAll(line, keys)) found.push(line);
    if (page.length < atOnce) break;
    after = page.at(-1);
  }
  return found;
}

/** At most `samples` lines of a stream, evenly spread, including the last; only those that have all of `keys`. */
export async function sampledLines(
  { store }: TrackingServiceParts,
  run: Run,
  {
    stream,
    samples,
    keys = [],
  }: {
    readonly stream: "history" | "events";
    readonly samples: number;
    readonly keys?: readonly string[];
  },
): Promise<readonly Line[]> {
  const count = run.lines[stream];
  const lookedAt = keys.length === 0 ? samples : LOOKED_AT;
  const every = Math.max(1, Math.ceil(count / Math.max(1, lookedAt)));
  const found: Line[] = [];
  for (let from = 0; from < count; ) {
    const page = await store.lines(run.id, stream, { from, limit: PAGE, every });
    for (const line of page) if (hasAll(line, keys)) found.push(line);
    if (page.length < PAGE) break;
    from = page.at(-1)!.line + 1;
  }
  const [last] = await store.lines(run.id, stream, { from: count - 1, limit: 1 });
  if (last !== undefined && hasAll(last, keys) && found.at(-1)?.line !== last.line) found.push(last);
  return evenly(found, samples);
}

function evenly(lines: readonly Line[], samples: number): readonly Line[] {
  if (lines.length <= samples) return lines;
  if (samples <= 1) return lines.slice(-samples);
  return Array.from(
    { length: samples },
    (_, i) => lines[Math.round((i * (lines.length - 1)) / (samples - 1))]!,
  );
}

function hasAll({ text }: Line, keys: readonly string[]): boolean {
  if (keys.length === 0) return true;
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) && keys.every((key) => (metricValue(value, key) ?? null) !== null);
}

/** The last line of a stream as text. */
export async function lastLine(
  { store }: TrackingServiceParts,
  run: Run,
  stream: "history" | "events",
): Promise<string | undefined> {
  if (run.lines[stream] === 0) return undefined;
  const [line] = await store.lines(run.id, stream, { from: run.lines[stream] - 1, limit: 1 });
  return line?.text;
}

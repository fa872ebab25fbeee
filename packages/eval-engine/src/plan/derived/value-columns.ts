// The column of a field in a segment: a score leaf's, which is there, or one made from the payload when a query first
// names its path, and kept. Must give for every item what `readField` gives for the trial.

import type { Json } from "@assay/base";
import { isReference, modelOutputOf, type RowSource, scoresOf } from "@assay/calls";
import { type FieldPath, getPath } from "@assay/query-lang";
import { ValueColumn } from "../../columns/value-column.ts";
import { PARSE_COST, type Work } from "../../kernels/work.ts";
import type { Segment } from "../../segment/segment.ts";
import type { DerivedColumn } from "../../segment/segment-caches.ts";

/** What a column has one value for: each trial, or each example (fields of the row, which trials share). */
export type Domain = "trials" | "examples";

/** A field's values in one segment. */
export interface FieldColumn {
  readonly domain: Domain;
  readonly values: ValueColumn;
}

/** What a field has one value for. */
export function domainOf(path: FieldPath): Domain {
  return path[0] === "inputs" || path[0] === "row_digest" ? "examples" : "trials";
}

/** A field's column. `prepareColumns` must have run for the path. */
export function columnOf(segment: Segment, path: FieldPath): FieldColumn {
  const values =
    (path[0] === "scores" ? segment.parts.scores.find(path.slice(1)) : undefined) ??
    segment.derived.get(keyOf(path))!.values;
  values.extend(domainOf(path) === "examples" ? segment.parts.examples.length : segment.trials);
  return { domain: domainOf(path), values };
}

/** Makes the columns of `paths` in `segments`, where they are not there already. */
export async function prepareColumns(
  segments: readonly Segment[],
  paths: readonly FieldPath[],
  rows: { readonly source: RowSource; readonly project: string },
  work: Work,
): Promise<void> {
  const ofRow = paths.filter((path) => path[0] === "inputs");
  for (const segment of segments) {
    await fillFromOutputs(segment, paths, work);
    fillDigests(segment, paths);
  }
  if (ofRow.length > 0) await fillFromRows(segments, ofRow, rows, work);
}

async function fillFromOutputs(segment: Segment, paths: readonly FieldPath[], work: Work): Promise<void> {
  const { outputs, scores } = segment.parts;
  const missing = paths.filter(
    (path) =>
      domainOf(path) === "trials" && (path[0] !== "scores" || scores.find(path.slice(1)) === undefined),
  );
  const columns = missing.map((path) => ({ path, column: derived(segment, path) }));
  const from = Math.min(...columns.map(({ column }) => column.filled));
  for (let i = from; i < outputs.length; i++) {
    const output = outputs.get(i);
    for (const { path, column } of columns) {
      if (i < column.filled) continue;
      const whole =
        path[0] === "scores" ? scoresOf(output) : path[0] === "outputs" ? modelOutputOf(output) : output;
      column.values.set(i, getPath(whole, path, 1));
      column.filled = i + 1;
    }
    const pause = work.spend(PARSE_COST);
    if (pause !== undefined) await pause;
  }
}

function fillDigests(segment: Segment, paths: readonly FieldPath[]): void {
  const path = paths.find((one) => one[0] === "row_digest");
  if (path === undefined) return;
  const { examples, rowOfExample, digests } = segment.parts;
  const column = derived(segment, path);
  for (; column.filled < examples.length; column.filled++) {
    column.values.set(column.filled, digests.get(rowOfExample.array[column.filled]!));
  }
}

// What one look-up asks for at most. References are in the order of digests, which is none to a source: each look-up
// may go through all of its rows.
const REFERENCES_AT_ONCE = 2048;

async function fillFromRows(
  segments: readonly Segment[],
  paths: readonly FieldPath[],
  { source, project }: { readonly source: RowSource; readonly project: string },
  work: Work,
): Promise<void> {
  const version = await source.version(project);
  // Evaluations of one dataset refer to the same rows: each is looked up once, and only the values are kept.
  const known = new Map<string, readonly Json[] | undefined>();
  for (const segment of segments) {
    const { examples } = segment.parts;
    for (const path of paths) {
      const column = segment.derived.get(keyOf(path)) as DerivedColumn | undefined;
      if (column?.unresolvedAt !== undefined && column.unresolvedAt !== version)
        segment.derived.delete(keyOf(path));
    }
    const columns = paths.map((path) => derived(segment, path));
    const lookUp = async (from: number): Promise<readonly Json[]> => {
      const batch: Json[] = [];
      const to = Math.min(from + REFERENCES_AT_ONCE, examples.length);
      for (let i = from; i < to; i++) batch.push(examples.get(i));
      await resolve(known, batch.filter(isReference), paths, source, project);
      return batch;
    };
    const start = Math.min(...columns.map(({ filled }) => filled));
    if (start >= examples.length) continue;
    let ahead = lookUp(start);
    for (let from = start; from < examples.length; from += REFERENCES_AT_ONCE) {
      const current = ahead;
      // The source looks for the next ones while these are read.
      ahead = lookUp(from + REFERENCES_AT_ONCE);
      // Whoever waits for it next hears of a failure; if that is nobody, the one before has failed.
      ahead.catch(() => {});
      const batch = await current;
      for (const [k, example] of batch.entries()) {
        const values = isReference(example) ? known.get(example) : undefined;
        for (const [p, column] of columns.entries()) {
          column.values.set(from + k, values === undefined ? getPath(example, paths[p]!, 1) : values[p]!);
          column.filled = from + k + 1;
          if (values === undefined && isReference(example)) column.unresolvedAt = version;
        }
      }
      const pause = work.spend(batch.length * PARSE_COST);
      if (pause !== undefined) await pause;
    }
  }
}

async function resolve(
  known: Map<string, readonly Json[] | undefined>,
  refs: readonly string[],
  paths: readonly FieldPath[],
  source: RowSource,
  project: string,
): Promise<void> {
  const unknown = [...new Set(refs)].filter((ref) => !known.has(ref));
  if (unknown.length === 0) return;
  const rows = await source.rows(project, unknown);
  for (const [i, ref] of unknown.entries()) {
    const row = rows[i];
    known.set(ref, row === undefined ? undefined : paths.map((path) => getPath(row, path, 1)));
  }
}

function derived(segment: Segment, path: FieldPath): DerivedColumn {
  const key = keyOf(path);
  let column = segment.derived.get(key);
  if (column === undefined) {
    column = { values: new ValueColumn(), filled: 0, unresolvedAt: undefined };
    segment.derived.set(key, column);
  }
  return column;
}

function keyOf(path: FieldPath): string {
  return JSON.stringify(path);
}

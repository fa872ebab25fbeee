// The column of a field in a segment: an existing score column, or one built from the payload when a query first uses
// its path, and cached. Each item must equal the result of `readField` for the trial.

import type { Json } from "@assay/base";
import { serialQueue } from "@assay/base/internal";
import type { RowSource } from "@assay/calls";
import { isReference, modelOutputOf, scoresOf } from "@assay/calls/internal";
import { type FieldPath, getPath } from "@assay/query-lang";
import { ValueColumn } from "../../columns/value-column.ts";
import { PARSE_COST, type Work } from "../../kernels/work.ts";
import { type Domain, fieldAt } from "../../query/field.ts";
import type { DerivedKey } from "../../segment/derived-cache.ts";
import type { Segment } from "../../segment/segment.ts";
import { lookUpSize } from "../row-data.ts";

/** A field's values in one segment. */
interface FieldColumn {
  readonly domain: Domain;
  readonly values: ValueColumn;
}

/** A segment with prepared columns of some fields. */
export interface ReadySegment {
  readonly segment: Segment;
  /** The column of a field; throws unless `prepareColumns` has prepared it. */
  column(path: FieldPath): FieldColumn;
}

/** A column made from the payload. */
interface DerivedColumn {
  readonly values: ValueColumn;
  /** The number of items so far. */
  filled: number;
  /** The row source's version at which some reference did not resolve; undefined if all did. */
  unresolvedAt: number | undefined;
}

const DERIVED: DerivedKey<DerivedColumn, number> = {
  lasts: true,
  copied: (column) => ({ ...column, values: column.values.clone() }),
  bytes: ({ values }) => values.size,
};

function columnOf(segment: Segment, path: FieldPath): FieldColumn {
  const { of, domain, key } = fieldAt(path);
  const values =
    (of === "scores" ? segment.parts.scores.find(path.slice(1)) : undefined) ??
    segment.memo.get(DERIVED, key)?.values;
  if (values === undefined) throw new Error(`the column of ${key} is not prepared`);
  values.extend(domain === "examples" ? segment.parts.examples.length : segment.trials);
  return { domain, values };
}

/** Prepares the columns of `paths` in `segments`, unless they exist. */
export async function prepareColumns(
  segments: readonly Segment[],
  paths: readonly FieldPath[],
  rows: { readonly source: RowSource; readonly project: string },
  work: Work,
): Promise<readonly ReadySegment[]> {
  const ofRow = paths.filter((path) => fieldAt(path).of === "inputs");
  for (const segment of segments) {
    await fillFromOutputs(segment, paths, work);
    await fillDigests(segment, paths, work);
  }
  if (ofRow.length > 0) await fillFromRows(segments, ofRow, rows, work);
  return segments.map((segment) => ({ segment, column: (path) => columnOf(segment, path) }));
}

async function fillFromOutputs(segment: Segment, paths: readonly FieldPath[], work: Work): Promise<void> {
  const { outputs, scores } = segment.parts;
  const missing = paths.filter(
    (path) =>
      fieldAt(path).domain === "trials" &&
      (fieldAt(path).of !== "scores" || scores.find(path.slice(1)) === undefined),
  );
  const columns = missing.map((path) => ({ path, of: fieldAt(path).of, column: derived(segment, path) }));
  const from = Math.min(...columns.map(({ column }) => column.filled));
  const scan = outputs.scan();
  for (let i = from; i < outputs.length; i++) {
    const ahead = scan.ahead(i);
    if (ahead !== undefined) await ahead;
    const output = scan.get(i);
    for (const { path, of, column } of columns) {
      if (i < column.filled) continue;
      const whole = of === "scores" ? scoresOf(output) : of === "outputs" ? modelOutputOf(output) : output;
      column.values.set(i, getPath(whole, path, 1));
      column.filled = i + 1;
    }
    const pause = work.spend(PARSE_COST);
    if (pause !== undefined) await pause;
  }
}

async function fillDigests(segment: Segment, paths: readonly FieldPath[], work: Work): Promise<void> {
  const path = paths.find((one) => fieldAt(one).of === "row_digest");
  if (path === undefined) return;
  const { examples, rowOfExample, digests } = segment.parts;
  const column = derived(segment, path);
  // Another query may fill the same column while this one pauses.
  while (column.filled < examples.length) {
    column.values.set(column.filled, digests.get(rowOfExample.array[column.filled]!));
    column.filled++;
    const pause = work.spend(DIGEST_COST);
    if (pause !== undefined) await pause;
  }
}

// The work of inserting a digest, in array items touched.
const DIGEST_COST = 512;

/** The work of a value in a column, in array items touched. */
const VALUE_COST = 64;

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
      const { key } = fieldAt(path);
      const column = segment.memo.get(DERIVED, key);
      if (column?.unresolvedAt !== undefined && column.unresolvedAt !== version)
        segment.memo.delete(DERIVED, key);
    }
    const columns = paths.map((path) => derived(segment, path));
    const start = Math.min(...columns.map(({ filled }) => filled));
    if (start >= examples.length) continue;
    const scan = examples.scan();
    // The scan processes one batch at a time; the source may be asked for two.
    const inOrder = serialQueue();
    let [next, size] = [start, lookUpSize()];
    const lookUp = async (): Promise<readonly Json[]> => {
      const batch = await inOrder(async () => {
        const read: Json[] = [];
        for (const to = Math.min(next + size, examples.length); next < to; next++) {
          const pause = scan.ahead(next) ?? work.spend(PARSE_COST);
          if (pause !== undefined) await pause;
          read.push(scan.get(next));
        }
        return read;
      });
      const found = await resolve(known, batch.filter(isReference), paths, source, project);
      if (found.length > 0) size = lookUpSize(found);
      return batch;
    };
    let ahead = lookUp();
    for (let i = start; i < examples.length; ) {
      const current = ahead;
      // The source looks up the next ones while these are read.
      ahead = lookUp();
      // The next caller that awaits it gets the failure; without such a caller, the previous one has already failed.
      ahead.catch(() => {});
      for (const example of await current) {
        const values = isReference(example) ? known.get(example) : undefined;
        for (const [p, column] of columns.entries()) {
          column.values.set(i, values === undefined ? getPath(example, paths[p]!, 1) : values[p]!);
          column.filled = i + 1;
          if (values === undefined && isReference(example)) column.unresolvedAt = version;
        }
        i++;
        const pause = work.spend(VALUE_COST);
        if (pause !== undefined) await pause;
      }
    }
  }
}

/** Adds the values of rows that are not known yet; returns those rows. */
async function resolve(
  known: Map<string, readonly Json[] | undefined>,
  refs: readonly string[],
  paths: readonly FieldPath[],
  source: RowSource,
  project: string,
): Promise<readonly (Json | undefined)[]> {
  const unknown = [...new Set(refs)].filter((ref) => !known.has(ref));
  if (unknown.length === 0) return [];
  const rows = await source.rows(project, unknown);
  for (const [i, ref] of unknown.entries()) {
    const row = rows[i];
    known.set(ref, row === undefined ? undefined : paths.map((path) => getPath(row, path, 1)));
  }
  return rows;
}

function derived({ memo }: Segment, path: FieldPath): DerivedColumn {
  return memo.kept(DERIVED, fieldAt(path).key, () => ({
    values: new ValueColumn(),
    filled: 0,
    unresolvedAt: undefined,
  }));
}

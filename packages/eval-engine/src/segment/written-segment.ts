// Builds a segment from trials that are available as columns: all trials of an evaluation, each a call without
// children. Needs no lookups, because rows are already numbered, and are sorted once.

import { compareText, type GrowableArray, growableFloats, growableIndexes } from "@assay/base/internal";
import type { WrittenTrials } from "@assay/calls";
import { DerivedTexts, NumberedTexts, numberedId } from "../columns/derived-texts.ts";
import { JsonPayload } from "../columns/json-payload.ts";
import type { Payload } from "../columns/payload.ts";
import { ScoreColumns } from "../columns/score-columns.ts";
import { Texts } from "../columns/texts.ts";
import type { Work } from "../kernels/work.ts";
import { compareTimes } from "../trials/trials.ts";
import { emptyTexts } from "./file/lazy-texts.ts";
import { areUnescaped, referenceTexts } from "./file/reference-texts.ts";
import { Segment } from "./segment.ts";
import { byDigest, chains } from "./segment-order.ts";
import { WrittenOutputs } from "./written-outputs.ts";

/** All trials of an evaluation as columns, in writing order. */
export interface WrittenColumns extends Pick<WrittenTrials, "ids" | "references" | "digests"> {
  readonly rowOf: Uint32Array;
  readonly startedAt: GrowableArray<Float64Array>;
  /** The outputs in an order. */
  readonly outputs: (order: Uint32Array) => Payload | Promise<Payload>;
  /** Each has a value for every trial. */
  readonly scores: ScoreColumns;
  /** May be shorter, as if NaN followed. */
  readonly latency: GrowableArray<Float64Array>;
  readonly tokens: GrowableArray<Float64Array>;
}

/** The cost of adding a trial, and of ordering it, in array items touched. */
const [TAKE_COST, STEP_COST] = [1_000, 100];

/** The arranged segment of written trials, to be saved: its outputs can only be scanned. */
export function writtenSegment(written: WrittenTrials, work: Work): Promise<Segment> {
  return segmentOfWritten(written, work, (outputs) => outputs);
}

/** The arranged segment of written trials, to be queried: all outputs are in memory. */
export function inMemorySegment(written: WrittenTrials, work: Work): Promise<Segment> {
  return segmentOfWritten(written, work, (outputs) => outputs.held());
}

async function segmentOfWritten(
  written: WrittenTrials,
  work: Work,
  prepare: (outputs: WrittenOutputs) => WrittenOutputs | Promise<WrittenOutputs>,
): Promise<Segment> {
  const { ids, references, digests, count } = written;
  const [latency, tokens, scores] = [growableFloats(), growableFloats(), new ScoreColumns()];
  const startedAt = growableFloats(new Float64Array(count));
  const [rowOf, lengths] = [new Uint32Array(count), new Uint32Array(count)];
  let at = 0;
  for await (const batch of written.batches) {
    rowOf.set(batch.rows, at);
    lengths.set(batch.lengths, at);
    startedAt.array.set(batch.startedAt, at);
    for (let i = 0; i < batch.rows.length; i++, at++) {
      scores.set(at, batch.scores[i]!);
      if (!Number.isNaN(batch.latency[i])) latency.set(at, batch.latency[i]!);
      if (!Number.isNaN(batch.tokens[i])) tokens.set(at, batch.tokens[i]!);
    }
    const pause = work.spend(batch.rows.length * TAKE_COST);
    if (pause !== undefined) await pause;
  }
  scores.extend(count);
  const outputs = async (order: Uint32Array) =>
    new JsonPayload(new DerivedTexts(await prepare(new WrittenOutputs(written, lengths, order))));
  const columns = { startedAt, scores, latency, tokens, rowOf, outputs };
  return segmentOf({ ...columns, ids, references, digests }, work);
}

/** The arranged segment of these columns. */
export async function segmentOf(columns: WrittenColumns, work: Work): Promise<Segment> {
  const { ids, references, startedAt, scores } = columns;
  const counts = new Uint32Array(columns.digests.length);
  // By index, because an iterator takes ten times as long.
  for (let i = 0; i < columns.rowOf.length; i++) counts[columns.rowOf[i]!]!++;
  const { rows, digests, areUnescaped } = await rowsInOrder(columns.digests, counts, work);
  const { order, rowOf } = inRows(columns, rows, counts);
  const pause = work.spend(order.length * STEP_COST);
  if (pause !== undefined) await pause;
  const { firstTrial, next } = chains(rowOf, rows.length);
  const none = growableFloats();
  none.extend(order.length);
  const [latency, tokens] = [columns.latency, columns.tokens].map((column) => {
    if (column.length === 0) return none;
    column.extend(order.length);
    return column.pick(order);
  }) as [GrowableArray<Float64Array>, GrowableArray<Float64Array>];
  return new Segment(
    {
      ids: new DerivedTexts(new NumberedTexts(ids, order)),
      startedAt: startedAt.pick(order),
      rowOf: growableIndexes(rowOf),
      exampleOf: growableIndexes(rowOf.slice()),
      next: growableIndexes(next),
      outputs: await columns.outputs(order),
      scores: scores.map((values) => values.pick(order)),
      latency: latency.continued(),
      ownLatency: latency.continued(),
      tokens: tokens.continued(),
      ownTokens: tokens.continued(),
      predictIds: emptyTexts(order.length),
      scorerIds: emptyTexts(order.length),
      spans: new Map(),
      examples: new JsonPayload(referenceTexts(references, digests, areUnescaped)),
      rowOfExample: growableIndexes(new Int32Array(rows.length).map((_, row) => row)),
      digests,
      firstTrial: growableIndexes(firstTrial),
    },
    0,
    rows.length,
  );
}

interface SortedRows {
  /** The indices of rows, by digest. */
  readonly rows: Uint32Array;
  /** Their digests. */
  readonly digests: Texts;
  /** Whether digests are the same within a JSON text. */
  readonly areUnescaped: boolean;
}

/** The order of all rows of a list, for evaluations that have all of them. */
const ordered = new WeakMap<WrittenTrials["digests"], SortedRows>();

/** The rows that have trials. */
async function rowsInOrder(
  list: WrittenTrials["digests"],
  counts: Uint32Array,
  work: Work,
): Promise<SortedRows> {
  const all = counts.map((_, row) => row);
  if (counts.includes(0))
    return sortedRows(
      list,
      all.filter((row) => counts[row]! > 0),
      work,
    );
  const sorted = ordered.get(list) ?? (await sortedRows(list, all, work));
  ordered.set(list, sorted);
  return { ...sorted, digests: sorted.digests.continued() };
}

async function sortedRows(
  list: WrittenTrials["digests"],
  some: Uint32Array,
  work: Work,
): Promise<SortedRows> {
  const unsorted = new Texts(list.bytes, list.ends, list.length);
  const rows = await byDigest(unsorted, some, (a, b) => unsorted.compare(a, unsorted, b), work);
  const digests = await unsorted.pick(rows, work);
  return { rows, digests, areUnescaped: areUnescaped(digests) };
}

/** The order of trials, by row, and within a row by start and id; and the place in `rows` of each one's row. */
function inRows(
  { rowOf: rowOfTrial, startedAt: { array: startedAt }, ids }: WrittenColumns,
  rows: Uint32Array,
  counts: Uint32Array,
): { readonly order: Uint32Array; readonly rowOf: Int32Array } {
  // Where the next trial of each row goes.
  const places = new Uint32Array(counts.length);
  let place = 0;
  for (let i = 0; i < rows.length; i++) {
    places[rows[i]!] = place;
    place += counts[rows[i]!]!;
  }
  const order = new Uint32Array(rowOfTrial.length);
  for (let i = 0; i < order.length; i++) order[places[rowOfTrial[i]!]!++] = i;
  const compare = (a: number, b: number): number =>
    compareTimes(startedAt[a]!, startedAt[b]!) || compareText(numberedId(ids, a), numberedId(ids, b));
  const rowOf = new Int32Array(order.length);
  let start = 0;
  for (let row = 0; row < rows.length; row++) {
    const end = start + counts[rows[row]!]!;
    let isInOrder = true;
    for (let k = start; k < end; k++) {
      rowOf[k] = row;
      if (k > start && isInOrder) isInOrder = compare(order[k - 1]!, order[k]!) <= 0;
    }
    // Mostly they were written in order.
    if (!isInOrder) order.subarray(start, end).sort(compare);
    start = end;
  }
  return { order, rowOf };
}

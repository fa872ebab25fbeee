// Orders a segment's trials: rows by digest, and each row's trials by start and id. Must not change the columns that it
// reads, since queries may be reading them.

import { type GrowableArray, growableIndexes } from "@assay/base/internal";
import { prefixesOf, type Texts } from "../columns/texts.ts";
import type { ValueColumn } from "../columns/value-column.ts";
import { sortByPrefix } from "../kernels/sorting/sort-by-prefix.ts";
import type { Work } from "../kernels/work.ts";
import type { SegmentParts, Spans } from "./segment-parts.ts";

// The cost of each ordering step per trial, in array items touched.
const STEP_COST = 64;

/** The same trials in order, without the `removed` ones. Score columns must have equal lengths. */
export async function sortedParts(parts: SegmentParts, removed: number, work: Work): Promise<SegmentParts> {
  const rest = async (): Promise<void> => {
    const pause = work.spend(parts.ids.length * STEP_COST);
    if (pause !== undefined) await pause;
  };
  const rows = await rowOrder(parts, work);
  await rest();
  const { trials, rowOf } = trialOrder(parts, rows, parts.ids.length - removed);
  await rest();
  const { examples, exampleOf, rowOfExample } = exampleOrder(parts, trials, rowOf);
  await rest();
  const { firstTrial, next } = chains(rowOf, rows.length);
  await rest();
  const texts = {
    ids: await parts.ids.pick(trials, work),
    predictIds: await parts.predictIds.pick(trials, work),
    scorerIds: await parts.scorerIds.pick(trials, work),
    digests: await parts.digests.pick(rows, work),
    outputs: await parts.outputs.pick(trials, work),
    examples: await parts.examples.pick(examples, work),
  };
  const scores: ValueColumn[] = [];
  for (const { values } of parts.scores.columns) {
    scores.push(values.pick(trials));
    await rest();
  }
  const picked = async (column: GrowableArray<Float64Array>): Promise<GrowableArray<Float64Array>> => {
    await rest();
    return column.pick(trials);
  };
  return {
    ...texts,
    startedAt: await picked(parts.startedAt),
    rowOf: growableIndexes(rowOf),
    exampleOf: growableIndexes(exampleOf),
    next: growableIndexes(next),
    scores: parts.scores.map((_, k) => scores[k]!),
    latency: await picked(parts.latency),
    ownLatency: await picked(parts.ownLatency),
    tokens: await picked(parts.tokens),
    ownTokens: await picked(parts.ownTokens),
    spans: spansOf(parts, trials),
    rowOfExample: growableIndexes(rowOfExample),
    firstTrial: growableIndexes(firstTrial),
  };
}

/** The numbers of rows with trials, by digest. */
async function rowOrder({ digests, firstTrial }: SegmentParts, work: Work): Promise<Uint32Array> {
  const present = new Uint32Array(digests.length);
  let n = 0;
  for (let row = 0; row < digests.length; row++) if (firstTrial.array[row] !== -1) present[n++] = row;
  return byDigest(digests, present.subarray(0, n), (a, b) => digests.compare(a, digests, b), work);
}

/** Items in the order of `compare`, which compares digests first. */
export async function byDigest(
  digests: Texts,
  items: Uint32Array,
  compare: (a: number, b: number) => number,
  work: Work,
): Promise<Uint32Array> {
  const prefix = await prefixesOf(digests, work);
  const order = await sortByPrefix(items, prefix, work);
  // The prefix distinguishes nearly all digests; those with the same prefix are consecutive.
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && prefix[order[to]!] === prefix[order[from]!]) to++;
    if (to > from + 1) order.subarray(from, to).sort(compare);
    from = to;
  }
  return order;
}

/** The `count` trial numbers by row, in the order of `rows`, and the new row of each. */
function trialOrder(
  { firstTrial, next }: SegmentParts,
  rows: Uint32Array,
  count: number,
): { readonly trials: Uint32Array; readonly rowOf: Int32Array } {
  const trials = new Uint32Array(count);
  const rowOf = new Int32Array(count);
  let k = 0;
  for (let row = 0; row < rows.length; row++) {
    for (let t = firstTrial.array[rows[row]!]!; t !== -1; t = next.array[t]!) {
      rowOf[k] = row;
      trials[k++] = t;
    }
  }
  return { trials, rowOf };
}

/** The examples of these trials, in order of first use; and the new example of each trial, and its row. */
function exampleOrder(
  parts: SegmentParts,
  trials: Uint32Array,
  rowOf: Int32Array,
): { readonly examples: Uint32Array; readonly exampleOf: Int32Array; readonly rowOfExample: Int32Array } {
  const examples = new Uint32Array(parts.examples.length);
  const exampleAt = new Int32Array(parts.examples.length).fill(-1);
  const exampleOf = new Int32Array(trials.length);
  let known = 0;
  for (let k = 0; k < trials.length; k++) {
    const example = parts.exampleOf.array[trials[k]!]!;
    if (exampleAt[example] === -1) {
      exampleAt[example] = known;
      examples[known++] = example;
    }
    exampleOf[k] = exampleAt[example]!;
  }
  const rowOfExample = new Int32Array(known);
  for (let k = 0; k < trials.length; k++) rowOfExample[exampleOf[k]!] = rowOf[k]!;
  return { examples: examples.subarray(0, known), exampleOf, rowOfExample };
}

/** The first trial of each row, and for each trial the next of its row. */
export function chains(
  rowOf: Int32Array,
  rows: number,
): { readonly firstTrial: Int32Array; readonly next: Int32Array } {
  const firstTrial = new Int32Array(rows);
  const next = new Int32Array(rowOf.length).fill(-1);
  for (let k = 0; k < rowOf.length; k++) {
    if (k > 0 && rowOf[k] === rowOf[k - 1]) next[k - 1] = k;
    else firstTrial[rowOf[k]!] = k;
  }
  return { firstTrial, next };
}

/** The reverse of `chains`: the row of each of as many trials, and the next trial of that row. */
export function trialsOfRows(
  firstTrial: Int32Array,
  trials: number,
): { readonly rowOf: Int32Array; readonly next: Int32Array } {
  const rowOf = new Int32Array(trials);
  const next = new Int32Array(trials);
  for (let row = 0; row < firstTrial.length; row++) {
    const end = row + 1 < firstTrial.length ? firstTrial[row + 1]! : trials;
    for (let k = firstTrial[row]!; k < end; k++) {
      rowOf[k] = row;
      next[k] = k + 1 < end ? k + 1 : -1;
    }
  }
  return { rowOf, next };
}

function spansOf(parts: SegmentParts, trials: Uint32Array): Map<number, Spans> {
  const spans = new Map<number, Spans>();
  if (parts.spans.size === 0) return spans;
  for (let k = 0; k < trials.length; k++) {
    const refs = parts.spans.get(trials[k]!);
    if (refs !== undefined) spans.set(k, refs);
  }
  return spans;
}

// A segment of trials that were just written: all that an evaluation has, each of one call without children. Nothing of
// it is looked up while it grows: rows are the trials whose digests lie side by side once these are sorted.

import type { Json } from "@assay/base";
import { compareText, type GrowableArray, growableFloats, growableIndexes } from "@assay/base/internal";
import { JsonPayload } from "../columns/payload.ts";
import { ScoreColumns } from "../columns/score-columns.ts";
import { Texts } from "../columns/texts.ts";
import type { Work } from "../kernels/work.ts";
import { compareTimes } from "../trials/trials.ts";
import { Segment } from "./segment.ts";
import { byDigest, chains } from "./segment-order.ts";

/** A trial that was written, of one call without children. */
export interface WrittenTrial {
  /** The call's id. */
  readonly id: string;
  /** When it started: microseconds since 1970; NaN when unknown. */
  readonly startedAt: number;
  /** The digest of its row. */
  readonly digest: string;
  /** JSON of the call's whole output, in UTF-8: good until the next trials come. */
  readonly output: Uint8Array;
  /** The `scores` in the output. */
  readonly scores: { readonly [scorer: string]: Json };
  /** Seconds; null when unknown. */
  readonly latency: number | null;
  /** In total; null when none are reported. */
  readonly tokens: number | null;
}

/** What a trial costs, in array items touched. */
const TRIAL_COST = 2_000;

/** The segment of these trials, arranged. `rows`: what stands before the digest in each `inputs.example`. */
export async function writtenSegment(
  rows: string,
  trials: AsyncIterable<readonly WrittenTrial[]>,
  work: Work,
): Promise<Segment> {
  const [ids, digests, outputs] = [new Texts(), new Texts(), new Texts()];
  const [startedAt, latency, tokens] = [growableFloats(), growableFloats(), growableFloats()];
  const scores = new ScoreColumns();
  for await (const some of trials) {
    for (const trial of some) {
      scores.set(ids.length, trial.scores);
      ids.push(trial.id);
      digests.push(trial.digest);
      outputs.pushBytes(trial.output);
      startedAt.push(trial.startedAt);
      latency.push(trial.latency ?? Number.NaN);
      tokens.push(trial.tokens ?? Number.NaN);
    }
    const pause = work.spend(some.length * TRIAL_COST);
    if (pause !== undefined) await pause;
  }
  scores.extend(ids.length);
  const { order, rowOf, firsts } = await inRows(ids, digests, startedAt, work);
  const rowDigests = await digests.pick(firsts, work);
  const examples = new Texts();
  for (let row = 0; row < firsts.length; row++) examples.push(JSON.stringify(rows + rowDigests.get(row)));
  const { firstTrial, next } = chains(rowOf, firsts.length);
  const picked = (column: GrowableArray<Float64Array>) => column.pick(order);
  return new Segment(
    {
      ids: await ids.pick(order, work),
      startedAt: picked(startedAt),
      rowOf: growableIndexes(rowOf),
      exampleOf: growableIndexes(rowOf.slice()),
      next: growableIndexes(next),
      outputs: new JsonPayload(await outputs.pick(order, work)),
      scores: scores.map((values) => values.pick(order)),
      latency: picked(latency),
      ownLatency: picked(latency),
      tokens: picked(tokens),
      ownTokens: picked(tokens),
      predictIds: emptyTexts(order.length),
      scorerIds: emptyTexts(order.length),
      spans: new Map(),
      examples: new JsonPayload(examples),
      rowOfExample: growableIndexes(Int32Array.from(firsts.keys())),
      digests: rowDigests,
      firstTrial: growableIndexes(firstTrial),
    },
    0,
    firsts.length,
  );
}

/** The order of trials: rows by digest, and in a row by start and id; the row of each in it; and each row's first trial. */
async function inRows(
  ids: Texts,
  digests: Texts,
  { array: startedAt }: GrowableArray<Float64Array>,
  work: Work,
): Promise<{ readonly order: Uint32Array; readonly rowOf: Int32Array; readonly firsts: Uint32Array }> {
  const compareRows = (a: number, b: number): number => digests.compare(a, digests, b);
  const inRow = (a: number, b: number): number =>
    compareTimes(startedAt[a]!, startedAt[b]!) || compareText(ids.get(a), ids.get(b));
  const all = Uint32Array.from({ length: ids.length }, (_, i) => i);
  const order = await byDigest(digests, all, (a, b) => compareRows(a, b) || inRow(a, b), work);
  const rowOf = new Int32Array(order.length);
  const firsts: number[] = [];
  for (let k = 0; k < order.length; k++) {
    if (k === 0 || compareRows(order[k]!, order[k - 1]!) !== 0) firsts.push(order[k]!);
    rowOf[k] = firsts.length - 1;
  }
  return { order, rowOf, firsts: Uint32Array.from(firsts) };
}

function emptyTexts(length: number): Texts {
  return new Texts(new Uint8Array(0), new Uint32Array(length), length);
}

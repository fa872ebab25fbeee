// A segment: one evaluation's trials as columns, grouped by row once, when they arrive. Rows that were there when it
// was last arranged are in digest order and their trials lie in a row's order; later ones follow as they came, until
// the segment is arranged again. Must never need the calls again to answer a query.

import type { Json } from "@assay/base";
import { compareText } from "@assay/query-lang";
import { type Growing, growingFloats, growingIndexes } from "./columns/growing.ts";
import { JsonPayload, type Payload, SharedPayload } from "./columns/payload.ts";
import { type TextList, Texts } from "./columns/texts.ts";
import type { ValueColumn } from "./columns/value-column.ts";
import { sortByPrefix } from "./kernels/sort-by-prefix.ts";
import { LineCall } from "./line-call.ts";
import type { KeptTally } from "./plan/tally.ts";
import type { EvalResultsRowEvaluation, GenAISpanRef } from "./response.ts";
import { rowIdOf } from "./row-digest.ts";
import type { RowNumbers } from "./row-numbers.ts";
import { ScoreColumns } from "./score-columns.ts";
import type { ScoreMatrix } from "./score-matrix.ts";
import type { SegmentFile } from "./segment-file.ts";
import { compareTimes, type ReadTrial, type Trial, type TrialFacts } from "./trials.ts";
import type { DerivedColumn } from "./value-columns.ts";
import type { Work } from "./work.ts";

/** The columns of a segment that are kept; everything else can be made from them. */
export interface SegmentParts {
  // Per trial.
  readonly ids: TextList;
  readonly startedAt: Growing<Float64Array>;
  readonly rowOf: Growing<Int32Array>;
  readonly exampleOf: Growing<Int32Array>;
  /** Next trial of the same row, by start and id; -1 after the last. */
  readonly next: Growing<Int32Array>;
  /** The predict-and-score calls' outputs. */
  readonly outputs: Payload;
  readonly scores: ScoreColumns;
  readonly latency: Growing<Float64Array>;
  readonly ownLatency: Growing<Float64Array>;
  readonly tokens: Growing<Float64Array>;
  readonly ownTokens: Growing<Float64Array>;
  /** Empty for none. */
  readonly predictIds: TextList;
  /** JSON of an object, or empty for `{}`. */
  readonly scorerIds: TextList;
  readonly spans: Map<number, Spans>;
  // Per example: what differs in a row is kept apart, what is the same is kept once.
  readonly examples: Payload;
  readonly rowOfExample: Growing<Int32Array>;
  // Per row.
  readonly digests: Texts;
  readonly firstTrial: Growing<Int32Array>;
}

/** A trial's span references, with its children read and without. */
export interface Spans {
  readonly all: readonly GenAISpanRef[] | null;
  readonly own: readonly GenAISpanRef[] | null;
}

// What reading an id costs, in array items touched.
const ID_COST = 256;

// What each step of putting trials in order costs for a trial, in array items touched.
const ARRANGE_COST = 4;

/** One evaluation's trials as columns. */
export class Segment {
  readonly parts: SegmentParts;
  /** The source's version up to which the calls are in. */
  version: number;
  /** Grows with every change. */
  revision = 0;
  /** The first so many rows are in digest order, each with its trials one after the other. */
  arranged: number;
  /** Rows whose trials have changed since the segment was made, as it happened. */
  readonly journal: number[] = [];
  /** Trials that were taken out. */
  removed = 0;

  /** Columns of other paths than score leaves, made when a query first names them; see value-columns.ts. */
  readonly derived: Map<string, DerivedColumn> = new Map();
  /** What rows' trials add up to; see row-numbers.ts. */
  readonly rowNumbers: Map<string, RowNumbers> = new Map();
  /** Rows as responses have them; see plan/rows.ts. */
  readonly written: Map<number, EvalResultsRowEvaluation> = new Map();
  /** What has been counted of all trials; see plan/tally.ts. */
  tally: KeptTally | undefined = undefined;
  /** The scores once more, trial by trial; dropped at every change. See score-matrix.ts. */
  scoreMatrix: ScoreMatrix | undefined = undefined;
  /** What else has been computed from the columns; dropped at every change. */
  readonly computed: Map<string, unknown> = new Map();

  private reading = 0;
  private kept = true;
  private readonly file: SegmentFile | undefined;
  private byId: Map<string, number> | undefined;
  /** Rows by digest: of those not arranged. */
  private readonly late: Map<string, number> = new Map();

  /** `file`: where texts of `parts` are read from, when they are not in memory; held from here on. */
  constructor(parts: SegmentParts, version: number, arranged: number, file?: SegmentFile) {
    this.parts = parts;
    this.version = version;
    this.arranged = arranged;
    this.file = file;
    for (let row = arranged; row < parts.digests.length; row++) this.late.set(parts.digests.get(row), row);
  }

  /** An empty segment. `retains`: hold references to the calls' JSON, because somebody else holds them anyway. */
  static empty(retains: boolean): Segment {
    const payload = (): Payload => (retains ? new SharedPayload() : new JsonPayload());
    return new Segment(
      {
        ids: new Texts(),
        startedAt: growingFloats(),
        rowOf: growingIndexes(),
        exampleOf: growingIndexes(),
        next: growingIndexes(),
        outputs: payload(),
        scores: new ScoreColumns(),
        latency: growingFloats(),
        ownLatency: growingFloats(),
        tokens: growingFloats(),
        ownTokens: growingFloats(),
        predictIds: new Texts(),
        scorerIds: new Texts(),
        spans: new Map(),
        examples: payload(),
        rowOfExample: growingIndexes(),
        digests: new Texts(),
        firstTrial: growingIndexes(),
      },
      0,
      0,
    );
  }

  get trials(): number {
    return this.parts.ids.length;
  }

  get rows(): number {
    return this.parts.digests.length;
  }

  /** Bytes held, roughly. */
  get size(): number {
    const { ids, outputs, examples, digests, predictIds, scorerIds, scores } = this.parts;
    let size = this.trials * 52 + this.rows * 12;
    for (const { size: held } of [ids, outputs, examples, digests, predictIds, scorerIds]) size += held;
    for (const { values } of scores.columns) size += values.size;
    for (const { values } of this.derived.values()) size += values.size;
    size += this.rowNumbers.size * this.rows * 8;
    const matrix = this.scoreMatrix;
    if (matrix !== undefined) size += matrix.small.numbers.byteLength + matrix.wide.numbers.byteLength;
    for (const value of this.computed.values()) if (value instanceof Float64Array) size += value.byteLength;
    return size;
  }

  /** Whether its file turned out to be damaged: it has to be built again. */
  get damaged(): boolean {
    return this.file?.damaged === true;
  }

  /** Whether it holds a file open. */
  get holdsFile(): boolean {
    return this.file !== undefined;
  }

  /** Whether a query is reading: a segment that is being read is copied before it changes. */
  get isRead(): boolean {
    return this.reading > 0;
  }

  /** One more query is reading. */
  beginReading(): void {
    this.reading++;
  }

  /** One fewer. */
  endReading(): void {
    this.reading--;
    if (!this.kept && this.reading === 0) this.file?.release();
  }

  /** Nobody will ask for it again but those who are reading it. */
  letGo(): void {
    this.kept = false;
    if (this.reading === 0) this.file?.release();
  }

  /** The trial with this predict-and-score call id, or undefined. `prepareIds` must have run. */
  trialWithId(id: string): number | undefined {
    return this.byId!.get(id);
  }

  /** Makes trials known by their ids, unless they are. */
  async prepareIds(work: Work): Promise<void> {
    if (this.byId !== undefined) return;
    const byId = new Map<string, number>();
    for (let i = 0; i < this.trials; i++) {
      if (this.parts.rowOf.array[i] !== -1) byId.set(this.parts.ids.get(i), i);
      const pause = work.spend(ID_COST);
      if (pause !== undefined) await pause;
    }
    this.byId = byId;
  }

  /** Adds a trial that is not there yet. */
  add(trial: ReadTrial): void {
    const { parts } = this;
    const i = this.trials;
    const row = this.rowWithDigest(trial.digest);
    parts.ids.push(trial.id);
    this.byId?.set(trial.id, i);
    parts.startedAt.push(trial.startedAt);
    parts.rowOf.push(row);
    parts.exampleOf.push(this.exampleIn(row, trial.example));
    parts.outputs.push(trial.call instanceof LineCall ? trial.call : trial.output);
    parts.scores.set(i, trial.scores);
    this.setFacts(i, trial);
    this.link(row, i);
    this.changed();
  }

  /** Makes the columns of all trials equally long, so that loops need no bounds of their own. */
  settle(): void {
    this.parts.scores.extend(this.trials);
  }

  /**
   * Takes trial `i` out. What it held stays until the segment is arranged; loops over trials skip it because its row
   * is -1, and a row whose first trial is -1 is no row any more.
   */
  remove(i: number): void {
    const { ids, rowOf, firstTrial, next } = this.parts;
    const row = rowOf.array[i]!;
    let before = -1;
    for (let at = firstTrial.array[row]!; at !== i; at = next.array[at]!) before = at;
    if (before === -1) firstTrial.set(row, next.array[i]!);
    else next.set(before, next.array[i]!);
    this.changedRow(row);
    rowOf.set(i, -1);
    this.byId?.delete(ids.get(i));
    this.removed++;
    this.changed();
  }

  /** Whether it is as it was arranged: all rows in digest order, each with its trials one after the other. */
  get tidy(): boolean {
    return this.revision === 0 && this.arranged === this.rows;
  }

  /** The order of trials: rows by digest, and in a row by start and id. */
  compareTrials(a: number, b: number): number {
    const { digests, rowOf } = this.parts;
    const [x, y] = [rowOf.array[a]!, rowOf.array[b]!];
    return x === y ? this.compare(a, b) : digests.compare(x, digests, y);
  }

  /** Whether so much has come or gone since it was arranged that arranging again pays. */
  get untidy(): boolean {
    return this.rows - this.arranged + this.removed > 1024 + this.trials / 8;
  }

  /** The same trials with rows in digest order and each row's trials together, and nothing that was taken out. */
  async arrange(work: Work): Promise<Segment> {
    const { parts } = this;
    const rest = async (): Promise<void> => {
      const pause = work.spend(this.trials * ARRANGE_COST);
      if (pause !== undefined) await pause;
    };
    const rows = this.rowOrder();
    await rest();
    const [trials, rowOf] = this.trialOrder(rows);
    await rest();
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
    const keptExamples = examples.subarray(0, known);
    const firstTrial = new Int32Array(rows.length);
    const next = new Int32Array(trials.length).fill(-1);
    for (let k = 0; k < trials.length; k++) {
      const sameRow = k > 0 && rowOf[k] === rowOf[k - 1];
      if (sameRow) next[k - 1] = k;
      else firstTrial[rowOf[k]!] = k;
    }
    const rowOfExample = new Int32Array(known);
    for (let k = 0; k < trials.length; k++) rowOfExample[exampleOf[k]!] = rowOf[k]!;
    const spans = new Map<number, Spans>();
    if (parts.spans.size > 0) {
      for (let k = 0; k < trials.length; k++) {
        const refs = parts.spans.get(trials[k]!);
        if (refs !== undefined) spans.set(k, refs);
      }
    }
    this.settle();
    await rest();
    const texts = {
      ids: await parts.ids.pick(trials, work),
      predictIds: await parts.predictIds.pick(trials, work),
      scorerIds: await parts.scorerIds.pick(trials, work),
      digests: await parts.digests.pick(rows, work),
      outputs: await parts.outputs.pick(trials, work),
      examples: await parts.examples.pick(keptExamples, work),
    };
    const picked: ValueColumn[] = [];
    for (const { values } of parts.scores.columns) {
      picked.push(values.pick(trials));
      await rest();
    }
    return new Segment(
      {
        ...texts,
        startedAt: parts.startedAt.pick(trials),
        rowOf: growingIndexes(rowOf),
        exampleOf: growingIndexes(exampleOf),
        next: growingIndexes(next),
        scores: parts.scores.map((_, k) => picked[k]!),
        latency: parts.latency.pick(trials),
        ownLatency: parts.ownLatency.pick(trials),
        tokens: parts.tokens.pick(trials),
        ownTokens: parts.ownTokens.pick(trials),
        spans,
        rowOfExample: growingIndexes(rowOfExample),
        firstTrial: growingIndexes(firstTrial),
      },
      this.version,
      rows.length,
    );
  }

  /** A copy that may change while this one is being read, which must not change any more. */
  clone(): Segment {
    const { parts } = this;
    const copy = new Segment(
      {
        ids: parts.ids.clone(),
        startedAt: parts.startedAt.clone(),
        rowOf: parts.rowOf.clone(),
        exampleOf: parts.exampleOf.clone(),
        next: parts.next.clone(),
        outputs: parts.outputs.clone(),
        scores: parts.scores.map((values) => values.clone()),
        latency: parts.latency.clone(),
        ownLatency: parts.ownLatency.clone(),
        tokens: parts.tokens.clone(),
        ownTokens: parts.ownTokens.clone(),
        predictIds: parts.predictIds.clone(),
        scorerIds: parts.scorerIds.clone(),
        spans: new Map(parts.spans),
        examples: parts.examples.clone(),
        rowOfExample: parts.rowOfExample.clone(),
        digests: parts.digests.clone(),
        firstTrial: parts.firstTrial.clone(),
      },
      this.version,
      this.arranged,
      this.file,
    );
    this.file?.hold();
    copy.removed = this.removed;
    // Only what changes asks for ids, and this one no longer does.
    copy.byId = this.byId;
    this.byId = undefined;
    for (const [key, { values, journal }] of this.rowNumbers) {
      if (journal === this.journal.length) copy.rowNumbers.set(key, { values: values.clone(), journal: 0 });
    }
    for (const [key, column] of this.derived) {
      copy.derived.set(key, { ...column, values: column.values.clone() });
    }
    return copy;
  }

  private changed(): void {
    this.revision++;
    this.scoreMatrix = undefined;
    if (this.computed.size > 0) this.computed.clear();
  }

  private changedRow(row: number): void {
    this.journal.push(row);
    // With the trials' children read, and without.
    this.written.delete(row);
    this.written.delete(-1 - row);
  }

  private rowWithDigest(digest: string): number {
    const known = this.late.get(digest) ?? this.arrangedRow(digest);
    if (known !== undefined) return known;
    const row = this.rows;
    this.parts.digests.push(digest);
    this.late.set(digest, row);
    return row;
  }

  private arrangedRow(digest: string): number | undefined {
    let [low, high] = [0, this.arranged - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const order = compareText(this.parts.digests.get(middle), digest);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  /** The example, shared with the row's first trial when it is the same. */
  private exampleIn(row: number, example: Json): number {
    const { examples, rowOfExample, exampleOf, firstTrial } = this.parts;
    const first = row < firstTrial.length ? firstTrial.array[row]! : -1;
    if (first !== -1) {
      const shared = exampleOf.array[first]!;
      if (sameExample(examples.get(shared), example)) return shared;
    }
    examples.push(example);
    rowOfExample.push(row);
    return examples.length - 1;
  }

  private setFacts(i: number, { facts, ownFacts }: Trial): void {
    const { parts } = this;
    parts.latency.set(i, facts.latency ?? Number.NaN);
    parts.ownLatency.set(i, ownFacts.latency ?? Number.NaN);
    parts.tokens.set(i, facts.tokens ?? Number.NaN);
    parts.ownTokens.set(i, ownFacts.tokens ?? Number.NaN);
    parts.predictIds.push(facts.predictCallId ?? "");
    parts.scorerIds.push(scorerIdsText(facts));
    if (facts.spans !== null || ownFacts.spans !== null)
      parts.spans.set(i, { all: facts.spans, own: ownFacts.spans });
  }

  /** Puts trial `i` into its row's chain, by start and id. */
  private link(row: number, i: number): void {
    const { firstTrial, next } = this.parts;
    let before = -1;
    let at = row < firstTrial.length ? firstTrial.array[row]! : -1;
    while (at !== -1 && this.compare(at, i) <= 0) {
      before = at;
      at = next.array[at]!;
    }
    next.set(i, at);
    if (before === -1) firstTrial.set(row, i);
    else next.set(before, i);
    this.changedRow(row);
  }

  private compare(a: number, b: number): number {
    const { startedAt, ids } = this.parts;
    return compareTimes(startedAt.array[a]!, startedAt.array[b]!) || compareText(ids.get(a), ids.get(b));
  }

  /** Row numbers by digest. */
  private rowOrder(): Uint32Array {
    const { digests } = this.parts;
    const { firstTrial } = this.parts;
    const present = new Uint32Array(this.rows);
    let n = 0;
    for (let row = 0; row < this.rows; row++) if (firstTrial.array[row] !== -1) present[n++] = row;
    const prefix = prefixesOf(digests);
    const order = sortByPrefix(present.subarray(0, n), prefix);
    // The prefix tells nearly all digests apart; the few that share one follow each other.
    for (let from = 0; from < n; ) {
      let to = from + 1;
      while (to < n && prefix[order[to]!] === prefix[order[from]!]) to++;
      if (to > from + 1) order.subarray(from, to).sort((a, b) => digests.compare(a, digests, b));
      from = to;
    }
    return order;
  }

  /** Trial numbers by row, in the order of `rows`, and the new row of each. */
  private trialOrder(rows: Uint32Array): [Uint32Array, Int32Array] {
    const { firstTrial, next } = this.parts;
    const trials = new Uint32Array(this.trials - this.removed);
    const rowOf = new Int32Array(this.trials - this.removed);
    let k = 0;
    for (let row = 0; row < rows.length; row++) {
      for (let t = firstTrial.array[rows[row]!]!; t !== -1; t = next.array[t]!) {
        rowOf[k] = row;
        trials[k++] = t;
      }
    }
    return [trials, rowOf];
  }
}

/** The first six bytes of each text as a number: orders as the bytes do. */
export function prefixesOf(texts: Texts): Float64Array {
  const prefixes = new Float64Array(texts.length);
  for (let i = 0; i < prefixes.length; i++) prefixes[i] = prefixOf(texts, i);
  return prefixes;
}

function prefixOf(texts: Texts, i: number): number {
  const start = texts.start(i);
  const end = texts.ends[i]!;
  let prefix = 0;
  for (let at = start; at < start + 6; at++) prefix = prefix * 256 + (at < end ? texts.bytes[at]! : 0);
  return prefix;
}

/** Whether two examples of a row are the same value: the same reference, or rows written alike. */
function sameExample(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  return JSON.stringify(a) === JSON.stringify(b);
}

function scorerIdsText({ scorerCallIds }: TrialFacts): string {
  const text = JSON.stringify(scorerCallIds);
  return text === "{}" ? "" : text;
}

/** Whether an example refers to a dataset row. */
export function isReference(example: Json): example is string {
  return rowIdOf(example) !== undefined;
}

// A segment: one evaluation's trials as columns, grouped by row as they arrive. After arranging, rows are in digest
// order and their trials in order. Later trials are appended in order of arrival until the segment is arranged again.
// Queries never need the calls again.

import { type Json, jsonText } from "@assay/base";
import { compareText } from "@assay/base/internal";
import type { Payload } from "../columns/payload.ts";
import { Texts } from "../columns/texts.ts";
import type { Work } from "../kernels/work.ts";
import { type ColumnTrial, compareTimes, type TrialFacts } from "../trials/trials.ts";
import { DerivedCache } from "./derived-cache.ts";
import type { SegmentFile } from "./file/segment-file.ts";
import { sortedParts } from "./segment-order.ts";
import { copyForChanges, emptyParts, type SegmentParts } from "./segment-parts.ts";

// The cost of reading an id, in array items touched.
const ID_COST = 256;

// The digest that is looked for.
const WANTED = new Texts();

/** One evaluation's trials as columns. */
export class Segment {
  readonly parts: SegmentParts;
  /** The source's version up to which calls are included. */
  version: number;
  /** Increases with every change. */
  revision = 0;
  /** The number of rows at the start that are in digest order, each with its trials in sequence. */
  arranged: number;
  /** Rows whose trials have changed since the segment was created, in order of the changes. */
  readonly journal: number[] = [];
  /** The number of removed trials. */
  removed = 0;

  /**
   * Results that queries computed from the segment. A copy receives the length of the journal up to which it includes
   * everything.
   */
  memo: DerivedCache<number> = new DerivedCache();

  private readonly identity: object = {};
  /** The identity of the segment that it continues, not the segment itself, whose memory may be released. */
  private continues: object | undefined;
  private reading = 0;
  private kept = true;
  private readonly file: SegmentFile | undefined;
  private byId: Map<string, number> | undefined;
  /** Rows by digest, only those not arranged. */
  private readonly late: Map<string, number> = new Map();

  /** `file`: the source of texts of `parts` that are not in memory; the segment holds a reference to it. */
  constructor(parts: SegmentParts, version: number, arranged: number, file?: SegmentFile) {
    this.parts = parts;
    this.version = version;
    this.arranged = arranged;
    this.file = file;
    for (let row = arranged; row < parts.digests.length; row++) this.late.set(parts.digests.get(row), row);
  }

  /** An empty segment; `payload` makes the lists of its trials' values. */
  static empty(payload: () => Payload): Segment {
    return new Segment(emptyParts(payload), 0, 0);
  }

  get trials(): number {
    return this.parts.ids.length;
  }

  get rows(): number {
    return this.parts.digests.length;
  }

  /** The approximate size in bytes. */
  get size(): number {
    const { ids, outputs, examples, digests, predictIds, scorerIds, scores } = this.parts;
    let size = this.trials * 52 + this.rows * 12;
    for (const { size: held } of [ids, outputs, examples, digests, predictIds, scorerIds]) size += held;
    for (const { values } of scores.columns) size += values.size;
    size += this.memo.size;
    return size;
  }

  /** Whether its file turned out to be damaged: it then has to be built again. */
  get damaged(): boolean {
    return this.file?.damaged === true;
  }

  /** Whether it holds a file open. */
  get holdsFile(): boolean {
    return this.file !== undefined;
  }

  /** Whether a query is reading it: a segment that is being read is not changed, but continued. */
  get isRead(): boolean {
    return this.reading > 0;
  }

  /** Adds a reader. */
  beginReading(): void {
    this.reading++;
  }

  /** Removes a reader. */
  endReading(): void {
    this.reading--;
    if (!this.kept && this.reading === 0) this.file?.release();
  }

  /** Marks it as released: there will be no new readers, only current ones. */
  letGo(): void {
    this.kept = false;
    if (this.reading === 0) this.file?.release();
  }

  /** The trial with this predict-and-score call id, or undefined. Requires `prepareIds`. */
  trialWithId(id: string): number | undefined {
    return this.byId!.get(id);
  }

  /** Indexes trials by their ids, if not done yet. */
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

  /** Adds a new trial. */
  add(trial: ColumnTrial): void {
    const { parts } = this;
    const i = this.trials;
    const row = this.rowWithDigest(trial.digest);
    parts.ids.push(trial.id);
    this.byId?.set(trial.id, i);
    parts.startedAt.push(trial.startedAt);
    parts.rowOf.push(row);
    parts.exampleOf.push(this.exampleIn(row, trial.example));
    parts.outputs.push(trial.payload);
    parts.scores.set(i, trial.scores);
    this.setFacts(i, trial);
    this.link(row, i);
    this.changed();
  }

  /** Extends the columns of all scores to the number of trials, so that loops need no separate bounds checks. */
  settle(): void {
    this.parts.scores.extend(this.trials);
  }

  /**
   * Removes trial `i`. Its content stays until the segment is arranged; loops over trials skip it because its row is
   * -1, and a row whose first trial is -1 no longer counts.
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

  /** Whether it is arranged: all rows in digest order, each with its trials in sequence. */
  get tidy(): boolean {
    return this.revision === 0 && this.arranged === this.rows;
  }

  /** The order of trials: rows by digest, and within a row by start and id. */
  compareTrials(a: number, b: number): number {
    const { digests, rowOf } = this.parts;
    const [x, y] = [rowOf.array[a]!, rowOf.array[b]!];
    return x === y ? this.compare(a, b) : digests.compare(x, digests, y);
  }

  /** Whether so much has been added or removed since it was arranged that arranging it again pays off. */
  get untidy(): boolean {
    return this.rows - this.arranged + this.removed > 1024 + this.trials / 8;
  }

  /** The same trials with rows in digest order and each row's trials in sequence, without removed ones. */
  async arrange(work: Work): Promise<Segment> {
    this.settle();
    const parts = await sortedParts(this.parts, this.removed, work);
    return new Segment(parts, this.version, parts.digests.length);
  }

  /**
   * The same trials in a segment that may change while this one is being read; this one must not change any more. Rows
   * keep their numbers.
   */
  continued(): Segment {
    const next = new Segment(copyForChanges(this.parts), this.version, this.arranged, this.file);
    this.file?.hold();
    // Without changes, it would be no tidier.
    next.revision = this.revision;
    next.removed = this.removed;
    next.continues = this.identity;
    // Only changes need ids, and this one no longer changes.
    next.byId = this.byId;
    this.byId = undefined;
    next.memo = this.memo.copy(this.journal.length);
    return next;
  }

  /** Whether it continues `other`, with only later changes in its journal. */
  isContinuationOf(other: Segment): boolean {
    return this.continues === other.identity;
  }

  private changed(): void {
    this.revision++;
    this.memo.changed();
  }

  private changedRow(row: number): void {
    this.journal.push(row);
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
    const { digests } = this.parts;
    WANTED.length = 0;
    WANTED.push(digest);
    let [low, high] = [0, this.arranged - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const order = digests.compare(middle, WANTED, 0);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  /** The example, shared with the row's first trial if equal. */
  private exampleIn(row: number, example: Json): number {
    const { examples, rowOfExample, exampleOf, firstTrial } = this.parts;
    const first = row < firstTrial.length ? firstTrial.array[row]! : -1;
    if (first !== -1) {
      const shared = exampleOf.array[first]!;
      if (sameExample(examples, shared, example)) return shared;
    }
    examples.push(example);
    rowOfExample.push(row);
    return examples.length - 1;
  }

  private setFacts(i: number, { facts, ownFacts }: ColumnTrial): void {
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

  /** Inserts trial `i` into its row's chain, by start and id. */
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
}

/**
 * Whether an example equals the one at `i`: the same reference, or a row in the same notation, including its numbers.
 */
function sameExample(examples: Payload, i: number, example: Json): boolean {
  if (typeof example !== "object") return examples.get(i) === example;
  return examples.text(i) === jsonText(example);
}

function scorerIdsText({ scorerCallIds }: TrialFacts): string {
  const text = JSON.stringify(scorerCallIds);
  return text === "{}" ? "" : text;
}

// The segments of a project's evaluations: built from the calls on first use, cached, and updated with new calls. Never
// changes a segment that a query is reading.

import type { CallSource, CallTree, WrittenTrials } from "@assay/calls";
import { type Payload, SharedPayload } from "../columns/payload.ts";
import type { Work } from "../kernels/work.ts";
import type { SavedSegment, SegmentStore } from "../ports/segment-store.ts";
import { trialFromCalls } from "../trials/trials.ts";
import { Segment } from "./segment.ts";

/** Makes the segment of an evaluation whose columns are available; returns undefined for others. */
export type AvailableSegment = (
  project: string,
  evaluation: string,
  work: Work,
) => Promise<Segment | undefined>;

/** How the segment for a query was obtained. */
export type Opened = "kept" | "updated" | "loaded" | "built";

interface Entry {
  segment: Segment | undefined;
  opened: Opened;
  /** The number of trials changed since the columns were saved. */
  unsaved: number;
  /** Resolves when the segment is not being built or changed. */
  settled: Promise<unknown>;
  /** The number of queries that are building or changing it, or waiting for that: it is not released meanwhile. */
  opening: number;
}

/** The cost of reading a call and its children into a trial, in array items touched. */
const TRIAL_COST = 8_000;

// A process may open about a thousand files, including connections.
const FILES_KEPT = 512;

// A later process reads this many changes in tens of milliseconds. The share keeps the total of repeated saves, while
// an evaluation grows, in proportion to its final size.
const [UNSAVED, UNSAVED_SHARE] = [1024, 1 / 16];

/** The segments of all projects. */
export class Segments {
  private readonly entries: Map<string, Entry> = new Map();
  /** The size in bytes of each kept segment, at its last use. */
  private readonly sizes: Map<Segment, number> = new Map();
  /** Their sum. */
  private held = 0;
  /** The number of segments that hold a file open. */
  private files = 0;
  private readonly calls: CallSource;
  private readonly store: SegmentStore | undefined;
  private readonly limit: number;
  private readonly atHand: AvailableSegment | undefined;

  /** `limit`: bytes of segments to keep between queries. */
  constructor(
    calls: CallSource,
    store: SegmentStore | undefined,
    limit: number,
    atHand: AvailableSegment | undefined,
  ) {
    this.calls = calls;
    this.store = store;
    this.limit = limit;
    this.atHand = atHand;
  }

  /**
   * The current segment of an evaluation. The caller counts itself among its readers. `ahead`: also intended for later
   * processes, so it is saved again after many changes.
   */
  async open(
    project: string,
    evaluation: string,
    work: Work,
    { ahead = false }: { readonly ahead?: boolean } = {},
  ): Promise<{ readonly segment: Segment; readonly opened: Opened }> {
    const key = JSON.stringify([project, evaluation]);
    const entry = this.entries.get(key) ?? {
      segment: undefined,
      opened: "kept",
      unsaved: 0,
      settled: Promise.resolve(),
      opening: 0,
    };
    // The last used segment is at the end: `trim` removes from the front.
    this.entries.delete(key);
    this.entries.set(key, entry);
    entry.opening++;
    const refreshed = entry.settled.then(async () => {
      try {
        await this.refresh(entry, project, evaluation, work, ahead);
        entry.segment!.beginReading();
        return { segment: entry.segment!, opened: entry.opened };
      } finally {
        entry.opening--;
      }
    });
    entry.settled = refreshed.catch(() => {});
    return refreshed;
  }

  /** Ends the reading of segments, and releases the least recently used ones until the rest fits. */
  close(read: readonly Segment[]): void {
    for (const segment of read) {
      segment.endReading();
      // Queries cache results with the segments that they read.
      if (this.sizes.has(segment)) this.measure(segment);
    }
    for (const [key, { segment, opening }] of this.entries) {
      if (this.held <= this.limit && this.files <= FILES_KEPT) return;
      // A damaged segment is kept to be built again: its file is still the same.
      if (opening > 0 || segment === undefined || segment.isRead || segment.damaged) continue;
      this.entries.delete(key);
      this.letGo(segment);
    }
  }

  /**
   * Saves the columns of an evaluation, made directly from trials as they were written, so that they need not be read
   * from the calls. They must be all of its current trials.
   */
  async saveWritten(project: string, evaluation: string, trials: WrittenTrials, work: Work): Promise<void> {
    if (this.store === undefined) return;
    const version = await this.calls.version(project);
    const { writtenSegment } = await import("./written-segment.ts");
    const segment = await writtenSegment(trials, work);
    segment.version = version;
    (await this.save(project, evaluation, segment, true, work))?.close();
  }

  /** Replaces a segment. */
  private keep(entry: Entry, segment: Segment | undefined): void {
    if (entry.segment === segment) return;
    if (entry.segment !== undefined) this.letGo(entry.segment);
    entry.segment = segment;
    if (segment === undefined) return;
    if (segment.holdsFile) this.files++;
    this.measure(segment);
  }

  private letGo(segment: Segment): void {
    segment.letGo();
    this.held -= this.sizes.get(segment) ?? 0;
    this.sizes.delete(segment);
    if (segment.holdsFile) this.files--;
  }

  private measure(segment: Segment): void {
    const { size } = segment;
    this.held += size - (this.sizes.get(segment) ?? 0);
    this.sizes.set(segment, size);
  }

  private async refresh(
    entry: Entry,
    project: string,
    evaluation: string,
    work: Work,
    ahead: boolean,
  ): Promise<void> {
    const version = await this.calls.version(project);
    entry.opened = "kept";
    if (entry.segment === undefined) {
      this.keep(entry, await this.read(project, await this.store?.open(project, evaluation), work));
      entry.unsaved = 0;
      if (entry.segment !== undefined) entry.opened = "loaded";
    }
    let built: Segment | undefined;
    try {
      if (await this.update(entry, project, evaluation, version, work)) {
        if (!(ahead && this.store !== undefined && hasMuchUnsaved(entry))) return;
        built = entry.segment!.tidy ? entry.segment! : await entry.segment!.arrange(work);
      }
    } catch (error) {
      if (entry.segment?.damaged !== true) throw error;
    }
    const isNew = built === undefined;
    if (built === undefined) {
      entry.opened = "built";
      built =
        (await this.atHand?.(project, evaluation, work)) ??
        (await buildSegment(this.calls, project, evaluation, version, work));
      built.version = version;
    }
    entry.unsaved = 0;
    const saved = await this.save(project, evaluation, built, isNew, work);
    // After one file was damaged, the next may be too: what was rebuilt stays in memory.
    if (entry.segment?.damaged === true) {
      saved?.close();
      this.keep(entry, built);
    } else this.keep(entry, (await this.read(project, saved, work)) ?? built);
  }

  /** Updates the existing segment to `version`; returns false if it has to be built from the calls. */
  private async update(
    entry: Entry,
    project: string,
    evaluation: string,
    version: number,
    work: Work,
  ): Promise<boolean> {
    const { segment } = entry;
    if (segment === undefined || segment.damaged) return false;
    if (segment.version === version) return true;
    const changes = await this.calls.changes(project, evaluation, segment.version);
    if (changes === undefined) return false;
    const { count, next } = await applied(segment, changes, work);
    if (count > 0) {
      entry.unsaved += count;
      this.keep(entry, next);
      if (entry.opened === "kept") entry.opened = "updated";
    }
    entry.segment!.version = version;
    return true;
  }

  /**
   * Saves a segment if there is a store. `shares`: with its rows in a list; one that grows would leave a list behind with
   * each save. The codec is loaded only if needed.
   */
  private async save(
    project: string,
    evaluation: string,
    segment: Segment,
    shares: boolean,
    work: Work,
  ): Promise<SavedSegment | undefined> {
    if (this.store === undefined) return undefined;
    const { saveSegment } = await rowLists();
    return saveSegment(this.store, [project, evaluation], segment, { shares }, work);
  }

  private async read(
    project: string,
    saved: SavedSegment | undefined,
    work: Work,
  ): Promise<Segment | undefined> {
    if (saved === undefined) return undefined;
    let segment: Segment | undefined;
    try {
      const { openSegment } = await rowLists();
      segment = await openSegment(this.store!, project, saved, this.entries.values(), work);
    } finally {
      if (segment === undefined) saved.close();
    }
    if (segment !== undefined) await this.shareDigests(segment, work);
    return segment;
  }

  /** Evaluations of one dataset have the same rows: their digests are kept in memory once. */
  private async shareDigests({ parts: { digests } }: Segment, work: Work): Promise<void> {
    for (const { segment } of [...this.entries.values()]) {
      if (segment !== undefined && (await digests.share(segment.parts.digests, work))) return;
    }
  }
}

function hasMuchUnsaved({ segment, unsaved }: Entry): boolean {
  return unsaved > UNSAVED + segment!.trials * UNSAVED_SHARE;
}

/** Saves and reads segments: loaded when there is a store. */
export const rowLists = (): Promise<typeof import("./row-lists.ts")> => import("./row-lists.ts");

/** Creates lists for the JSON of calls: of references, if it stays in memory anyway. */
async function payloads({ retains }: CallSource): Promise<() => Payload> {
  if (retains === true) return () => new SharedPayload();
  const { JsonPayload } = await import("../columns/json-payload.ts");
  return () => new JsonPayload();
}

/** Reads all calls of an evaluation into a segment, except those whose ids are in `without`. */
export async function buildSegment(
  calls: CallSource,
  project: string,
  evaluation: string,
  version: number,
  work: Work,
  without: ReadonlySet<string> = new Set(),
): Promise<Segment> {
  const segment = Segment.empty(await payloads(calls));
  for await (const batch of calls.trees(project, evaluation)) {
    for (const tree of batch) {
      const trial = without.has(tree.call.id) ? undefined : trialFromCalls(tree);
      if (trial !== undefined) segment.add(trial);
      const pause = work.spend(TRIAL_COST);
      if (pause !== undefined) await pause;
    }
  }
  const arranged = await segment.arrange(work);
  arranged.version = version;
  return arranged;
}

/**
 * The segment with changed trials read again, and their number: the same segment, or one that continues it if it is
 * being read. If it fails, some trials are already updated; reading all changes again does not change these.
 */
async function applied(
  segment: Segment,
  changes: Iterable<readonly CallTree[]> | AsyncIterable<readonly CallTree[]>,
  work: Work,
): Promise<{ readonly count: number; readonly next: Segment }> {
  let next = segment;
  let count = 0;
  try {
    for await (const trees of changes) {
      if (count === 0 && trees.length > 0) {
        await segment.prepareIds(work);
        if (segment.isRead) next = segment.continued();
      }
      count += trees.length;
      for (const tree of trees) {
        const trial = trialFromCalls(tree);
        const known = next.trialWithId(tree.call.id);
        if (known !== undefined) next.remove(known);
        if (trial !== undefined) next.add(trial);
        const pause = work.spend(TRIAL_COST);
        if (pause !== undefined) await pause;
      }
    }
    next.settle();
    if (!next.untidy) return { count, next };
    const arranged = await next.arrange(work);
    if (next !== segment) next.letGo();
    return { count, next: arranged };
  } catch (error) {
    if (next !== segment) next.letGo();
    throw error;
  }
}

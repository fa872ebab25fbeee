// The segments of a project's evaluations: built from the calls when first asked for, kept, and brought up to date
// with what has been written since. Must never change a segment that a query is reading.

import type { CallSource, CallTree } from "@assay/calls";
import type { Work } from "../kernels/work.ts";
import type { SavedSegment, SegmentStore } from "../ports/segment-store.ts";
import { trialFromCalls } from "../trials/trials.ts";
import { Segment } from "./segment.ts";
import type { WrittenTrials } from "./written-segment.ts";

/** Makes the segment of an evaluation whose columns are at hand; gives undefined for others. */
export type SegmentAtHand = (project: string, evaluation: string, work: Work) => Promise<Segment | undefined>;

/** How a segment came to answer a query. */
export type Opened = "kept" | "updated" | "loaded" | "built";

interface Entry {
  segment: Segment | undefined;
  opened: Opened;
  /** Trials that changed since the columns were saved. */
  unsaved: number;
  /** Resolves when the segment is not being built or changed. */
  settled: Promise<unknown>;
  /** Queries that are building or changing it, or wait for that: it is not let go of. */
  opening: number;
}

/** What reading a call and its children into a trial costs, in array items touched. */
const TRIAL_COST = 8_000;

// A process may open a thousand files or so, and connections are among them.
const FILES_KEPT = 512;

// A later process reads so many changes anew in some tens of milliseconds. The share of all keeps what is saved again and
// again while an evaluation grows in proportion to what it has in the end.
const [UNSAVED, UNSAVED_SHARE] = [1024, 1 / 16];

/** The segments of all projects. */
export class Segments {
  private readonly entries: Map<string, Entry> = new Map();
  /** Bytes of each segment that is kept, as of when it was used last. */
  private readonly sizes: Map<Segment, number> = new Map();
  /** Their sum. */
  private held = 0;
  /** How many of them hold a file open. */
  private files = 0;
  private readonly calls: CallSource;
  private readonly store: SegmentStore | undefined;
  private readonly limit: number;
  private readonly atHand: SegmentAtHand | undefined;

  /** `limit`: bytes of segments to keep between queries. */
  constructor(
    calls: CallSource,
    store: SegmentStore | undefined,
    limit: number,
    atHand: SegmentAtHand | undefined,
  ) {
    this.calls = calls;
    this.store = store;
    this.limit = limit;
    this.atHand = atHand;
  }

  /**
   * The segment of an evaluation as the source has it now. The caller counts itself among its readers. `ahead`: for a
   * later process too, so that it is saved again when much has changed since it was.
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
    // The one used last is at the end: `trim` takes from the front.
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

  /** Ends a reading of segments, and lets go of those used longest ago until what is kept fits. */
  close(read: readonly Segment[]): void {
    for (const segment of read) {
      segment.endReading();
      // A query leaves what it has worked out beside what it read.
      if (this.sizes.has(segment)) this.measure(segment);
    }
    for (const [key, { segment, opening }] of this.entries) {
      if (this.held <= this.limit && this.files <= FILES_KEPT) return;
      // One that is damaged is there to be built again: the file that it was loaded from is still the same.
      if (opening > 0 || segment === undefined || segment.isRead || segment.damaged) continue;
      this.entries.delete(key);
      this.letGo(segment);
    }
  }

  /**
   * Saves the columns of an evaluation, made of its trials as they were written, so that they need not be read from
   * the calls. They must be all that it has now.
   */
  async saveWritten(project: string, evaluation: string, trials: WrittenTrials, work: Work): Promise<void> {
    if (this.store === undefined) return;
    const version = await this.calls.version(project);
    const { writtenSegment } = await import("./written-segment.ts");
    const segment = await writtenSegment(trials, work);
    segment.version = version;
    (await this.save(project, evaluation, segment, work))?.close();
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
      this.keep(entry, await this.read(await this.store?.open(project, evaluation), work));
      entry.unsaved = 0;
      if (entry.segment !== undefined) entry.opened = "loaded";
    }
    try {
      const isCurrent = await this.update(entry, project, evaluation, version, work);
      if (isCurrent && !(ahead && this.store !== undefined && hasMuchUnsaved(entry))) return;
    } catch (error) {
      if (entry.segment?.damaged !== true) throw error;
    }
    entry.opened = "built";
    entry.unsaved = 0;
    const built =
      (await this.atHand?.(project, evaluation, work)) ??
      (await buildSegment(this.calls, project, evaluation, version, work));
    built.version = version;
    const saved = await this.save(project, evaluation, built, work);
    // Where one file was damaged the next may be: what was built stays in memory then.
    if (entry.segment?.damaged === true) {
      saved?.close();
      this.keep(entry, built);
    } else this.keep(entry, (await this.read(saved, work)) ?? built);
  }

  /** Brings the existing segment to `version`: false when that takes building it from the calls. */
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
    if (changes.length > 0) {
      entry.unsaved += changes.length;
      this.keep(entry, await applied(segment, changes, work));
      if (entry.opened === "kept") entry.opened = "updated";
    }
    entry.segment!.version = version;
    return true;
  }

  /** Saves a segment where there is a store. The codec is loaded for those who have one. */
  private async save(
    project: string,
    evaluation: string,
    segment: Segment,
    work: Work,
  ): Promise<SavedSegment | undefined> {
    if (this.store === undefined) return undefined;
    const { encodeSegment } = await import("./codec.ts");
    return this.store.save(project, evaluation, encodeSegment(segment, work));
  }

  private async read(saved: SavedSegment | undefined, work: Work): Promise<Segment | undefined> {
    if (saved === undefined) return undefined;
    let segment: Segment | undefined;
    try {
      const { readSegment } = await import("./codec.ts");
      segment = await readSegment(saved, work);
    } finally {
      if (segment === undefined) saved.close();
    }
    if (segment !== undefined) await this.shareDigests(segment, work);
    return segment;
  }

  /** Evaluations of one dataset have the same rows: their digests are in memory once. */
  private async shareDigests({ parts: { digests } }: Segment, work: Work): Promise<void> {
    for (const { segment } of [...this.entries.values()]) {
      if (segment !== undefined && (await digests.share(segment.parts.digests, work))) return;
    }
  }
}

function hasMuchUnsaved({ segment, unsaved }: Entry): boolean {
  return unsaved > UNSAVED + segment!.trials * UNSAVED_SHARE;
}

/** Reads all calls of an evaluation into a segment, but for those whose ids are in `without`. */
export async function buildSegment(
  calls: CallSource,
  project: string,
  evaluation: string,
  version: number,
  work: Work,
  without: ReadonlySet<string> = new Set(),
): Promise<Segment> {
  const segment = Segment.empty(calls.retains === true);
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

/** The segment with changed trials read again: itself, or one that continues it when someone is reading it. */
async function applied(segment: Segment, changes: readonly CallTree[], work: Work): Promise<Segment> {
  await segment.prepareIds(work);
  // From here on nothing may fail or be cancelled until the change is whole.
  const read = changes.map((tree) => ({ id: tree.call.id, trial: trialFromCalls(tree) }));
  const next = segment.isRead ? segment.continued() : segment;
  for (const { id, trial } of read) {
    const known = next.trialWithId(id);
    if (known !== undefined) next.remove(known);
    if (trial !== undefined) next.add(trial);
  }
  next.settle();
  if (!next.untidy) return next;
  try {
    return await next.arrange(work);
  } finally {
    if (next !== segment) next.letGo();
  }
}

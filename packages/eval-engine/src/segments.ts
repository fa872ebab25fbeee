// The segments of a project's evaluations: built from the calls when first asked for, kept, and brought up to date
// with what has been written since. Must never change a segment that a query is reading.

import type { CallTree } from "./call.ts";
import { encodeSegment, readSegment } from "./codec.ts";
import type { CallSource } from "./ports/call-source.ts";
import type { SegmentStore } from "./ports/segment-store.ts";
import { Segment } from "./segment.ts";
import { readTrial } from "./trials.ts";
import type { Work } from "./work.ts";

/** How a segment came to answer a query. */
export type Opened = "kept" | "updated" | "loaded" | "built";

interface Entry {
  segment: Segment | undefined;
  opened: Opened;
  /** Resolves when nobody is building or changing the segment. */
  settled: Promise<unknown>;
}

/** What reading a call and its children into a trial costs, in array items touched. */
const TRIAL_COST = 8_000;

/** The segments of all projects. */
export class Segments {
  private readonly entries: Map<string, Entry> = new Map();
  private readonly calls: CallSource;
  private readonly store: SegmentStore | undefined;
  private readonly limit: number;

  /** `limit`: bytes of segments to keep between queries. */
  constructor(calls: CallSource, store: SegmentStore | undefined, limit: number) {
    this.calls = calls;
    this.store = store;
    this.limit = limit;
  }

  /** The segment of an evaluation as the source has it now. The caller counts itself among its readers. */
  async open(
    project: string,
    evaluation: string,
    work: Work,
  ): Promise<{ readonly segment: Segment; readonly opened: Opened }> {
    const key = JSON.stringify([project, evaluation]);
    const entry = this.entries.get(key) ?? { segment: undefined, opened: "kept", settled: Promise.resolve() };
    // The one used last is at the end: `trim` takes from the front.
    this.entries.delete(key);
    this.entries.set(key, entry);
    const refreshed = entry.settled.then(async () => {
      await this.refresh(entry, project, evaluation, work);
      entry.segment!.readers++;
      return { segment: entry.segment!, opened: entry.opened };
    });
    entry.settled = refreshed.catch(() => {});
    return refreshed;
  }

  /** Lets go of the segments used longest ago, until what is kept fits. */
  trim(): void {
    let size = 0;
    for (const { segment } of this.entries.values()) size += segment?.size ?? 0;
    for (const [key, { segment }] of this.entries) {
      if (size <= this.limit) return;
      if (segment === undefined || segment.readers > 0) continue;
      this.entries.delete(key);
      size -= segment.size;
    }
  }

  private async refresh(entry: Entry, project: string, evaluation: string, work: Work): Promise<void> {
    const version = await this.calls.version(project);
    entry.opened = "kept";
    if (entry.segment?.version === version) return;
    if (entry.segment === undefined) {
      entry.segment = await this.load(project, evaluation, work);
      if (entry.segment !== undefined) entry.opened = "loaded";
    }
    if (entry.segment !== undefined) {
      if (entry.segment.version === version) return;
      const changes = await this.calls.changes(project, evaluation, entry.segment.version);
      if (changes !== undefined) {
        if (changes.length > 0) {
          entry.segment = await applied(entry.segment, changes, work);
          if (entry.opened === "kept") entry.opened = "updated";
        }
        entry.segment.version = version;
        return;
      }
    }
    entry.opened = "built";
    entry.segment = await buildSegment(this.calls, project, evaluation, version, work);
    await this.store?.save(project, evaluation, await encodeSegment(entry.segment, work));
  }

  private async load(project: string, evaluation: string, work: Work): Promise<Segment | undefined> {
    const bytes = await this.store?.load(project, evaluation);
    return bytes === undefined ? undefined : readSegment(bytes, work);
  }
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
      const trial = without.has(tree.call.id) ? undefined : readTrial(tree);
      if (trial !== undefined) segment.add(trial);
      const pause = work.spend(TRIAL_COST);
      if (pause !== undefined) await pause;
    }
  }
  const arranged = await segment.arrange(work);
  arranged.version = version;
  return arranged;
}

/** The segment with changed trials read again: itself, or a copy when somebody is reading it. */
async function applied(segment: Segment, changes: readonly CallTree[], work: Work): Promise<Segment> {
  const next = segment.readers > 0 ? segment.clone() : segment;
  await next.prepareIds(work);
  for (const tree of changes) {
    const known = next.trialWithId(tree.call.id);
    if (known !== undefined) next.remove(known);
    const trial = readTrial(tree);
    if (trial !== undefined) next.add(trial);
  }
  next.settle();
  return next.untidy ? next.arrange(work) : next;
}

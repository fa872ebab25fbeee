// A training store that caches recent reads and writes, so that polling clients cause no load on the underlying store.
// Its answers must always equal those of the underlying store.

import { lruCache } from "@assay/base/internal";
import type { Job } from "../job/job.ts";
import type { JobEvent } from "../job/job-event.ts";
import type { Model } from "../model/model.ts";
import type { Change, TrainingStore } from "../ports/training-store.ts";

/** The size of the cache. */
export interface CacheLimits {
  /** The most models and the most jobs. 1000. */
  readonly objects?: number | undefined;
  /** The most numbers in all cached events; each event counts as ten more. 500,000. */
  readonly numbers?: number | undefined;
}

/** A job with its newest events: all from `firstSeq` on. */
interface Remembered {
  job: Job;
  readonly events: JobEvent[];
  firstSeq: number;
  /** The size of its events, in numbers. */
  weight: number;
}

/** The number of newest events kept for a job; up to twice as many may be cached. Pages are shorter. */
const NEWEST = 500;

/**
 * `store`, with a cache of the recently used jobs, events and models. Only for a process with exclusive access to the
 * store: writes of others are not noticed. `store` must acknowledge changes of the same object in the order in which
 * it made them.
 */
export function cachingStore(store: TrainingStore, limits: CacheLimits = {}): TrainingStore {
  const { objects = 1000, numbers = 500_000 } = limits;
  const jobs = new Map<string, Remembered>();
  const models = lruCache<string, Model>(objects);
  let held = 0;
  // Running reads. A read that is overtaken by a change is answered but not cached.
  const reading = new Set<{ readonly id: string; overtaken: boolean }>();

  const forgetJob = (id: string) => {
    held -= jobs.get(id)?.weight ?? 0;
    jobs.delete(id);
  };
  /** Caches the job, then drops the least recently used ones that do not fit. */
  const rememberJob = (one: Remembered) => {
    jobs.delete(one.job.id);
    jobs.set(one.job.id, one);
    for (const id of jobs.keys()) {
      if (jobs.size <= objects && held <= numbers) break;
      forgetJob(id);
    }
  };
  const weigh = (one: Remembered, by: number) => {
    one.weight += by;
    held += by;
  };
  /** Appends events to the cached ones, with the job after them. */
  const extend = (one: Remembered, job: Job, events: readonly JobEvent[]) => {
    one.job = job;
    one.events.push(...events);
    weigh(one, weightOf(events));
    if (one.events.length > 2 * NEWEST) {
      const old = one.events.splice(0, one.events.length - NEWEST);
      one.firstSeq += old.length;
      weigh(one, -weightOf(old));
    }
    rememberJob(one);
  };
  const rememberModel = (model: Model) => models.set(model.id, model);

  /** Applies a change to the cache, or forgets its objects if its outcome is unknown. */
  const follow = ({ model, jobs: written = [] }: Change, isWritten: boolean) => {
    const changed = new Set([...(model ? [model.id] : []), ...written.map(({ job }) => job.id)]);
    for (const one of reading) if (changed.has(one.id)) one.overtaken = true;
    if (model !== undefined) {
      if (isWritten) rememberModel(model);
      else models.delete(model.id);
    }
    for (const { job, events } of written) {
      const before = jobs.get(job.id);
      const follows = (before?.job.version ?? 0) + events.length === job.version;
      if (isWritten && follows) extend(before ?? fresh(job, 1), job, events);
      else forgetJob(job.id);
    }
  };

  /** The result of `read` for the object with this ID, cached unless a change came in between. */
  const remembered = async <T>(
    id: string,
    read: () => Promise<T | undefined>,
    remember: (found: T) => void,
  ): Promise<T | undefined> => {
    const one = { id, overtaken: false };
    reading.add(one);
    try {
      const found = await read();
      if (found !== undefined && !one.overtaken) remember(found);
      return found;
    } finally {
      reading.delete(one);
    }
  };

  return {
    ...store,
    async commit(change) {
      let isWritten = false;
      try {
        isWritten = await store.commit(change);
        return isWritten;
      } finally {
        // Also after a failure: the change may have been written anyway.
        follow(change, isWritten);
      }
    },
    async model(id) {
      const known = models.get(id);
      if (known === undefined) return remembered(id, () => store.model(id), rememberModel);
      rememberModel(known);
      return known;
    },
    async job(id) {
      const known = jobs.get(id);
      if (known === undefined) {
        return remembered(
          id,
          () => store.job(id),
          (job) => {
            forgetJob(id);
            rememberJob(fresh(job, job.version + 1));
          },
        );
      }
      rememberJob(known);
      return known.job;
    },
    async events(jobId, page) {
      const { afterSeq, types, limit } = page;
      const known = jobs.get(jobId);
      if (known === undefined || afterSeq + 1 < known.firstSeq) return store.events(jobId, page);
      const later = known.events.slice(afterSeq + 1 - known.firstSeq);
      return later.filter(({ type }) => types === undefined || types.includes(type)).slice(0, limit);
    },
    async event(jobId, id) {
      const known = jobs.get(jobId)?.events.findLast((event) => event.id === id);
      if (known !== undefined) return known;
      return remembered(
        jobId,
        () => store.event(jobId, id),
        (event) => {
          // The cursor of a client that polls: everything after it is in memory.
          const now = jobs.get(jobId);
          if (now === undefined || event.seq !== now.firstSeq - 1) return;
          now.events.unshift(event);
          now.firstSeq = event.seq;
          weigh(now, weightOf([event]));
          rememberJob(now);
        },
      );
    },
  };
}

function fresh(job: Job, firstSeq: number): Remembered {
  return { job, events: [], firstSeq, weight: 0 };
}

function weightOf(events: readonly JobEvent[]): number {
  return events.reduce((sum, { data }) => sum + 10 + Object.keys(data).length, 0);
}

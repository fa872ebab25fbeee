// Saves the columns of evaluations in the background once nothing more comes, so that the first question about them, after
// a restart too, reads what is saved. One evaluation at a time, in turns with requests: it takes the memory of one
// first question.

import { Fault } from "@assay/base";
import type { EvaluationEntry } from "@assay/eval-engine";
import type { ServerData } from "./server-data.ts";

/** What it is made of. */
interface ColumnsAheadParts {
  readonly data: Pick<ServerData, "entries" | "openAhead" | "calls" | "stores">;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Told of each failure; the next change of the project tries again. */
  readonly onError: (error: unknown) => void;
}

/** Saves columns until its signal is aborted. */
interface ColumnsAhead {
  start(): void;
  /** Resolves when nothing is under way any more, once the signal is aborted. */
  ended(): Promise<void>;
}

/** A project that was written to, and when, in milliseconds of `performance.now`. */
interface Written {
  readonly version: number;
  /** Last. */
  readonly at: number;
  /** First, since its columns were last saved; undefined when they are. */
  readonly since: number | undefined;
  /** Whether all of it may be from before this process. */
  readonly isNew: boolean;
}

const EVERY_MS = 1000;
// A project is left in peace until nothing has come for so long, or, where something always comes, for so long in all.
const [QUIET_MS, BUSY_MS] = [2000, 30_000];
// The first question about fewer trials takes some milliseconds: not worth a file of its own.
const LARGE = 1000;

/** Not yet started. */
export function columnsAhead({ data, signal, onError }: ColumnsAheadParts): ColumnsAhead {
  const { openAhead, calls, stores } = data;
  const projects = new Map<string, Written>();
  /** An entry is another object once its evaluation has changed. */
  const done = new WeakSet<EvaluationEntry>();
  let timer: NodeJS.Timeout | undefined;
  let saving = Promise.resolve();

  /** Notes what was written, and whether it is the project's turn. */
  const isDue = async (project: string): Promise<boolean> => {
    const [now, version] = [performance.now(), await calls.version(project)];
    const known = projects.get(project);
    const written =
      known?.version === version ? known : { version, at: now, since: known?.since ?? now, isNew: !known };
    projects.set(project, written);
    const { at, since } = written;
    return since !== undefined && (now - at >= QUIET_MS || now - since >= BUSY_MS);
  };

  /** Whether columns were saved before this process, which reads what has changed since when someone asks. */
  const isSaved = async (project: string, { id }: EvaluationEntry): Promise<boolean> => {
    const saved = await stores.segments?.open(project, id);
    saved?.close();
    return saved !== undefined;
  };

  const save = async (project: string): Promise<void> => {
    const written = projects.get(project)!;
    const isQuiet = performance.now() - written.at >= QUIET_MS;
    projects.set(project, { ...written, since: undefined, isNew: false });
    for (const entry of await data.entries(project)) {
      if (signal.aborted) return;
      // While calls still come, only what has ended is worth saving.
      if (entry.trials < LARGE || done.has(entry) || !(isQuiet || entry.ended_at !== null)) continue;
      if (!(written.isNew && (await isSaved(project, entry)))) await openAhead!(project, [entry], { signal });
      done.add(entry);
    }
  };

  const saveAll = async (): Promise<void> => {
    for (const project of stores.projects()) {
      try {
        if (await isDue(project)) await save(project);
      } catch (error) {
        if (!(error instanceof Fault && error.code === "cancelled")) onError(error);
      }
      if (signal.aborted) return;
    }
  };

  const next = (): void => {
    saving = saveAll().finally(() => {
      if (!signal.aborted) timer = setTimeout(next, EVERY_MS).unref();
    });
  };

  return {
    start() {
      if (openAhead === undefined || timer !== undefined || signal.aborted) return;
      signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
      // What loads is loaded before the first question.
      timer = setTimeout(() => {
        saving = openAhead("", []).catch(onError).then(next);
      }, 0).unref();
    },
    ended: () => saving,
  };
}

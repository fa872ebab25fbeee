// Saves the columns of evaluations in the background once nothing more comes, so that the first question about them, after
// a restart too, reads what is saved. One evaluation at a time, in turns with requests: it takes the memory of one
// first question.

import { Fault } from "@assay/base";
import type { EvaluationEntry } from "@assay/eval-engine";
import type { ServerData } from "./server-data.ts";

interface ColumnsAheadParts {
  readonly data: Pick<ServerData, "entries" | "openAhead" | "calls" | "stores">;
  /** Stops saving. */
  readonly signal: AbortSignal;
  /** Called with each failure. The next change to the project tries again. */
  readonly onError: (error: unknown) => void;
}

/** Saves columns until its signal is aborted. */
interface ColumnsAhead {
  start(): void;
  /** Resolves once the signal is aborted and no work is left. */
  ended(): Promise<void>;
}

/** When a project was written to, in milliseconds of `performance.now`. */
interface Written {
  readonly version: number;
  /** The last write. */
  readonly at: number;
  /** The first write since its columns were last saved; undefined if they are up to date. */
  readonly since: number | undefined;
  /** Whether evaluations were left out since they were running. */
  readonly leftOut: boolean;
  /** Whether all of it may predate this process. */
  readonly isNew: boolean;
}

const EVERY_MS = 500;
// After this long without writes, evaluations that have ended are saved, and after this long all of them.
const [ENDED_MS, QUIET_MS] = [500, 2000];
// Under constant writes, those that have ended are saved after this long.
const BUSY_MS = 30_000;
// Evaluations with fewer trials take milliseconds to load, so they don't get a file.
const LARGE = 1000;

/** Does nothing until it is started. */
export function columnsAhead({ data, signal, onError }: ColumnsAheadParts): ColumnsAhead {
  const { openAhead, calls, stores } = data;
  const projects = new Map<string, Written>();
  /** Entries whose columns are saved. A changed evaluation gets a new entry. */
  const done = new WeakSet<EvaluationEntry>();
  let timer: NodeJS.Timeout | undefined;
  let saving = Promise.resolve();

  /** Notes the project's last write, and returns whether it is due to be saved. */
  const isDue = async (project: string): Promise<boolean> => {
    const [now, version] = [performance.now(), await calls.version(project)];
    const known = projects.get(project);
    const written =
      known?.version === version
        ? known
        : { version, at: now, since: known?.since ?? now, leftOut: known?.leftOut === true, isNew: !known };
    projects.set(project, written);
    const { at, since, leftOut } = written;
    if (since === undefined) return leftOut && now - at >= QUIET_MS;
    return now - at >= ENDED_MS || now - since >= BUSY_MS;
  };

  /** Whether an earlier process saved its columns. Later changes are added when they are first queried. */
  const isSaved = async (project: string, { id }: EvaluationEntry): Promise<boolean> => {
    const saved = await stores.segments?.open(project, id);
    saved?.close();
    return saved !== undefined;
  };

  const save = async (project: string): Promise<void> => {
    const written = projects.get(project)!;
    const isQuiet = performance.now() - written.at >= QUIET_MS;
    projects.set(project, { ...written, since: undefined, leftOut: false, isNew: false });
    for (const entry of await data.entries(project)) {
      if (signal.aborted) return;
      if (entry.trials < LARGE || done.has(entry)) continue;
      // While calls still arrive, only evaluations that have ended are worth saving.
      if (!isQuiet && entry.ended_at === null) {
        projects.set(project, { ...projects.get(project)!, leftOut: true });
        continue;
      }
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
      // Loads modules before the first question.
      timer = setTimeout(() => {
        saving = openAhead("", []).catch(onError).then(next);
      }, 0).unref();
    },
    ended: () => saving,
  };
}

// Saves the columns of evaluations in the background once no more data arrives, and those of a long import while it
// runs, so that the first query, also after a restart, reads saved columns. Processes one evaluation at a time,
// alternating with requests; this needs as much memory as a first query.

import { Fault } from "@assay/base";
import type { EvaluationEntry } from "@assay/eval-engine";
import type { ServerData } from "./server-data.ts";

interface BackgroundColumnsParts {
  readonly data: Pick<ServerData, "entries" | "openAhead" | "calls" | "stores" | "importLines">;
  /** Stops saving. */
  readonly signal: AbortSignal;
  /** Called with each failure. The next change to the project tries again. */
  readonly onError: (error: unknown) => void;
}

/** Saves columns until its signal is aborted. */
interface BackgroundColumns {
  start(): void;
  /** Imports lines. A long import of calls resolves once the columns of its evaluations are saved. */
  readonly importLines: ServerData["importLines"];
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
// An import saves the evaluations whose calls have all come after each of these steps, in bytes. Columns of a shorter
// one are made in less than half a second, when they are first needed.
const STEP = 16 * 1024 * 1024;

/** Does nothing until it is started. */
export function backgroundColumns({ data, signal, onError }: BackgroundColumnsParts): BackgroundColumns {
  const { openAhead, calls, stores, importLines } = data;
  const projects = new Map<string, Written>();
  /** Entries whose columns are saved. A changed evaluation gets a new entry. */
  const done = new WeakSet<EvaluationEntry>();
  /** Projects with a long import, which saves their columns itself. */
  const importing: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let saving = Promise.resolve();

  const failed = (error: unknown): void => {
    if (!(error instanceof Fault && error.code === "cancelled")) onError(error);
  };

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

  const saveEntry = async (project: string, entry: EvaluationEntry): Promise<void> => {
    if (entry.trials < LARGE || done.has(entry)) return;
    await openAhead!(project, [entry], { signal });
    done.add(entry);
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
      if (written.isNew && (await isSaved(project, entry))) done.add(entry);
      else await saveEntry(project, entry);
    }
  };

  const saveAll = async (): Promise<void> => {
    for (const project of stores.projects()) {
      if (importing.includes(project)) continue;
      try {
        if (await isDue(project)) await save(project);
      } catch (error) {
        failed(error);
      }
      if (signal.aborted) return;
    }
  };

  const next = (): void => {
    saving = saveAll().finally(() => {
      if (!signal.aborted) timer = setTimeout(next, EVERY_MS).unref();
    });
  };

  const importCalls: typeof importLines = async (project, kind, bytes) => {
    let known = new Set(await data.entries(project));
    let written = await calls.version(project);
    const unsaved = new Set<string>();
    /** Saves evaluations that have changed, except those to which the last write added: more of them may come. */
    const saveComplete = async (isOver: boolean): Promise<void> => {
      const version = await calls.version(project);
      if (version === written && !isOver) return;
      written = version;
      const entries = await data.entries(project);
      const before = known;
      known = new Set(entries);
      for (const entry of entries) {
        // A changed evaluation gets a new entry.
        if (!before.has(entry)) unsaved.add(entry.id);
        if ((isOver || before.has(entry)) && unsaved.delete(entry.id)) await saveEntry(project, entry);
      }
    };
    let isLong = false;
    let saving = Promise.resolve();
    const step = (isOver: boolean): void => {
      saving = saving.then(() => saveComplete(isOver)).catch(failed);
    };
    async function* inSteps(): AsyncGenerator<Uint8Array> {
      let size = 0;
      for await (const piece of bytes) {
        yield piece;
        size += piece.length;
        if (size < STEP) continue;
        size = 0;
        if (!isLong) importing.push(project);
        isLong = true;
        await saving;
        step(false);
      }
    }
    try {
      const report = await importLines(project, kind, inSteps());
      if (isLong) step(true);
      return report;
    } finally {
      await saving;
      if (isLong) importing.splice(importing.indexOf(project), 1);
    }
  };

  return {
    importLines: (project, kind, bytes) =>
      (kind === "calls" && openAhead !== undefined ? importCalls : importLines)(project, kind, bytes),
    start() {
      if (openAhead === undefined || timer !== undefined || signal.aborted) return;
      signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
      timer = setTimeout(next, 0).unref();
    },
    ended: () => saving,
  };
}

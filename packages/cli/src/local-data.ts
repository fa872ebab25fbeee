// The data in a data directory, which this process then has open alone.

import { openStore, type Store } from "@assay/adapters-duckdb";
import {
  chooseEvaluations,
  type ProjectList,
  type RemovalReport,
  type RemovedData,
} from "@assay/adapters-http";
import {
  type CountedEvaluation,
  createEvalEngine,
  datasetOf,
  type EvalExecution,
  type EvalStatistics,
  type EvaluationEntry,
  type EvalViews,
} from "@assay/eval-engine";
import type { TraceStores } from "@assay/trace-core";
import type { DataAccess } from "./data-access.ts";
import { exportLines } from "./export-lines.ts";
import { importLines } from "./import-lines.ts";
import { listedProjects } from "./listed-projects.ts";
import { onceAVersion } from "./once-a-version.ts";
import { say, type World } from "./world.ts";

/** A data directory that is open: what commands ask of it, and what a server is made of. */
export interface LocalData extends DataAccess, ProjectList {
  /** What answers evaluation queries, questions of statistics and those of a page. */
  readonly engine: EvalExecution & EvalStatistics & EvalViews;
  /** Where what Weave clients log goes. */
  readonly traces: TraceStores;
  /** The stores of the directory. */
  readonly store: Store;
  /** The evaluations of a project, by start, as far as they are known without looking at their rows. */
  entries(project: string): Promise<readonly EvaluationEntry[]>;
  /** Deletes what is not in the directory but in a database of its own; absent when everything is in the directory. */
  readonly remove?: (what: RemovedData) => Promise<RemovalReport>;
  /** Tells other processes that this one serves the directory at `address`, and can prove that it knows `secret`. */
  announce(address: string, secret: string): void;
}

/**
 * Opens a data directory, made when it is not there, and says in `world` which of its files had to be put right. Throws a
 * `conflict` fault when it is open elsewhere.
 */
export async function openLocalData(directory: string, world?: World): Promise<LocalData> {
  const store = await openStore({ directory, tell: (message) => world && say(world, `assay: ${message}`) });
  const { calls, rows, segments } = store;
  const pause = () => new Promise<void>((resume) => setImmediate(resume));
  const engine = createEvalEngine({ calls, rows, segments, pause });

  /** An evaluation and its rows: the engine knows what a row is. */
  const counted = async (project: string, entry: EvaluationEntry): Promise<CountedEvaluation> => {
    const first = { evaluation_call_ids: [entry.id], limit: 1, include_raw_data_rows: true };
    const { rows, total_rows } = await engine.query(project, first);
    return { ...entry, rows: total_rows, dataset: datasetOf(rows[0]?.raw_data_row ?? null) ?? null };
  };

  /** The evaluations of a project, and the way to count the rows of each, once. */
  const listed = onceAVersion(calls, async (project) => {
    const counts = new Map<string, Promise<CountedEvaluation>>();
    return {
      entries: await store.evaluations(project),
      count: (entry: EvaluationEntry) => {
        const known = counts.get(entry.id) ?? counted(project, entry);
        counts.set(entry.id, known);
        known.catch(() => counts.delete(entry.id));
        return known;
      },
    };
  });

  const list: ProjectList = {
    projects: async () => store.projects(),
    entries: (project) => store.evaluations(project),
  };

  return {
    ...list,
    where: directory,
    engine,
    traces: store.traces,
    store,
    listProjects: () => listedProjects(list),
    query: (project, body) => engine.answer(project, body),
    statistics: (question, project, body) => engine.answerStatistics(question, project, body),
    async evaluations(project, choice = {}) {
      const { entries, count } = await listed(project);
      return chooseEvaluations(entries, choice, count);
    },
    importLines: (project, kind, bytes) => importLines(store, project, kind, bytes),
    exportLines: (project, kind, evaluations) => exportLines(store, project, kind, evaluations),
    announce: (address, secret) => store.announce(address, secret),
    close: () => store.close(),
  };
}

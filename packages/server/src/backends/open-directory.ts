// The data of a server over its stores, and the data directory, which only this process may open.

import { openStore, type Store } from "@assay/adapters-duckdb";
import type { ProjectList } from "@assay/adapters-http/internal";
import { Fault } from "@assay/base";
import { checkMembers, nextTurn } from "@assay/base/internal";
import { type CountedEvaluation, createEvalEngine, type EvaluationEntry } from "@assay/eval-engine";
import { chooseEvaluations, datasetOf } from "@assay/eval-engine/internal";
import { listedProjects } from "../data/listed-projects.ts";
import {
  type DataDirectory,
  DIRECTORY_OPTIONS,
  type DirectoryOptions,
  type ServerData,
  type ServerStores,
} from "../data/server-data.ts";
import { exportLines } from "../lines/export-lines.ts";
import { importLines } from "../lines/import-lines.ts";
import { tracedStores } from "../telemetry/tracing.ts";

/**
 * Opens a data directory for this process only, and creates it if it is missing. It reads no calls. Throws a fault:
 * `conflict` if another process has it open (with its name and address), `corrupt` if it cannot be read, `unavailable`
 * if the named database does not answer; and a TypeError for an unknown option.
 */
export async function openDirectory(path: string, options: DirectoryOptions = {}): Promise<DataDirectory> {
  checkMembers("options", options, DIRECTORY_OPTIONS);
  const { evaluations } = options;
  let broken: (fault: Fault) => void = () => {};
  const stores = tracedStores(await openStores(path, options, (fault) => broken(fault)));
  const announce = (address: string, secret: string): void => stores.announce(address, secret);
  const whenBroken = (act: (fault: Fault) => void): void => {
    broken = act;
  };
  const directory = { ...dataOver(stores, path), path, options, stores, announce, whenBroken };
  if (evaluations === undefined) return directory;
  try {
    // Loaded on demand: most directories don't need it.
    const { openClickHouseData, withClickHouse } = await import("./clickhouse-data.ts");
    return withClickHouse(directory, await openClickHouseData(evaluations));
  } catch (error) {
    await directory.close();
    throw error;
  }
}

async function openStores(
  path: string,
  { tell = () => {}, orForReading = false, databaseMemory }: DirectoryOptions,
  onBroken: (fault: Fault) => void,
): Promise<Store> {
  try {
    return await openStore({ directory: path, tell, onBroken, databaseMemory });
  } catch (error) {
    if (!orForReading || !takesNothing(error)) throw error;
    const opened = await openStore({ directory: path, readOnly: true, tell }).catch(() => undefined);
    if (opened === undefined) throw error;
    tell(`${error.message}: ${path} is open read-only`);
    return opened;
  }
}

/** Whether a directory could not be opened for writing because its disk is full, failing or write-protected. */
function takesNothing(error: unknown): error is Fault {
  if (!(error instanceof Fault) || error.file === undefined) return false;
  return error.code === "denied" || error.code === "exhausted" || error.code === "unavailable";
}

/** The data in the given stores; `where` is shown to people. */
export function dataOver(store: ServerStores, where: string): ServerData {
  const { calls, rows, records, segments, directions } = store;
  const engine = createEvalEngine({
    calls,
    rows,
    pause: nextTurn,
    ...(segments !== undefined && { segments }),
    ...(directions !== undefined && { directions }),
  });

  /** Counts evaluations and their rows with the engine, which knows what a row is. */
  const counted = async (
    project: string,
    some: readonly EvaluationEntry[],
  ): Promise<readonly CountedEvaluation[]> => {
    const found: CountedEvaluation[] = [];
    for (const entry of some) {
      const first = { evaluation_call_ids: [entry.id], limit: 1, include_raw_data_rows: true };
      const { rows, total_rows } = await engine.query(project, first);
      found.push({ ...entry, rows: total_rows, dataset: datasetOf(rows[0]?.raw_data_row ?? null) ?? null });
    }
    return found;
  };

  const list: ProjectList = {
    projects: async () => store.projects(),
    entries: (project) => store.evaluations(project),
  };

  return {
    ...list,
    where,
    engine,
    calls,
    traces: store.traces,
    stores: store,
    listProjects: () => listedProjects(list),
    query: (project, body) => engine.answer(project, body),
    statistics: (question, project, body) => engine.answerStatistics(question, project, body),
    async evaluations(project, choice = {}) {
      if (store.countedEvaluations !== undefined) return store.countedEvaluations(project, choice);
      return chooseEvaluations(await store.evaluations(project), choice, (some) => counted(project, some));
    },
    ...(directions !== undefined && { directions }),
    ...(records !== undefined && { records }),
    importLines: (project, kind, bytes) => importLines(store, project, kind, bytes),
    exportLines: (project, kind, evaluations) => exportLines(store, project, kind, evaluations),
    async saveWritten(project, evaluations) {
      const entries = new Map((await store.evaluations(project)).map((entry) => [entry.id, entry]));
      for (const { id, trials, rows, dataset, written } of evaluations) {
        const entry = entries.get(id);
        if (entry?.trials !== trials) continue;
        await store.keepCounts?.(project, { ...entry, rows, dataset });
        if (written !== undefined) await engine.saveWritten(project, id, written());
      }
    },
    ...(segments !== undefined && {
      async openAhead(project, evaluations, options) {
        await engine.open(
          project,
          evaluations.map(({ id }) => id),
          options,
        );
        for (const found of await counted(project, evaluations)) await store.keepCounts?.(project, found);
      },
    }),
    close: async () => store.close?.(),
  };
}

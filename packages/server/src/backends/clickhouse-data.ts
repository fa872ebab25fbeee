// The data in a ClickHouse database, for commands and for evaluation queries of a server.

import { clickHouseStore, type QueryLimits } from "@assay/adapters-clickhouse";
import {
  type ClickHouseDeletion,
  type ClickHouseDeletionReport,
  checkSchema,
  connectClickHouse,
} from "@assay/adapters-clickhouse/internal";
import type { ProjectList } from "@assay/adapters-http/internal";
import { nextTurn } from "@assay/base/internal";
import type { CallSource } from "@assay/calls";
import { createEvalEngine, type EvaluationEntry } from "@assay/eval-engine";
import { chooseEvaluations } from "@assay/eval-engine/internal";
import { type ChosenExecution, chosenExecution, pushedExecution } from "@assay/eval-engine/pushed";
import type { TraceStores } from "@assay/trace-core";
import { callStoreOver } from "@assay/trace-core/store-parts";
import type { DataAccess } from "../data/data-access.ts";
import { listedProjects } from "../data/listed-projects.ts";
import type { DataDirectory } from "../data/server-data.ts";
import { exportLines } from "../lines/export-lines.ts";
import { importLines } from "../lines/import-lines.ts";

/** An open ClickHouse database. */
export interface ClickHouseData extends DataAccess {
  /** Answers queries on small evaluations in this process and on large ones in the database. */
  readonly engine: ChosenExecution;
  /** The calls in the database. */
  readonly calls: CallSource;
  /** The evaluations of a project, ordered by start. */
  entries(project: string): Promise<readonly EvaluationEntry[]>;
  /** Deletes a project or an evaluation, as `ClickHouseStore.delete` does. */
  remove(deletion: ClickHouseDeletion): Promise<ClickHouseDeletionReport>;
  /** The trace stores with calls and table rows in the database, and everything else in `local`. */
  traces(local: TraceStores): TraceStores;
}

/** Settings for what the address leaves open. */
export interface ClickHouseDataOptions extends QueryLimits {
  /** The most trials that a query may involve to be answered in this process. Default: the engine's. */
  readonly inProcessTrials?: number;
}

// The most seconds that the clocks of servers sharing a database may differ by, plus the duration of a write.
const SETTLE = 60;

/** Opens the database at a `clickhouse://` address. Its tables must exist. */
export async function openClickHouseData(
  address: string,
  { inProcessTrials, ...limits }: ClickHouseDataOptions = {},
): Promise<ClickHouseData> {
  const connection = connectClickHouse(address, limits);
  const { clickhouse, database, where, close } = connection;
  const { cluster } = await checkSchema(clickhouse, database).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const store = clickHouseStore(clickhouse, { database, cluster, settle: SETTLE });
  const { calls, rows, trials, directions } = store;
  const most = connection.inProcessTrials ?? inProcessTrials;
  const engine = chosenExecution({
    trials,
    inProcess: createEvalEngine({ calls, rows, pause: nextTurn, directions }),
    pushed: pushedExecution({ trials, calls, rows, directions }),
    ...(most === undefined ? {} : { inProcessTrials: most }),
  });
  const list: ProjectList = {
    projects: () => store.projects(),
    entries: (project) => store.evaluations(project),
  };
  return {
    ...list,
    where,
    engine,
    calls,
    directions,
    listProjects: () => listedProjects(list),
    query: (project, body) => engine.answer(project, body),
    statistics: (question, project, body) => engine.answerStatistics(question, project, body),
    evaluations: async (project, choice = {}) =>
      chooseEvaluations(await store.evaluations(project), choice, (some) => some),
    importLines: (project, kind, bytes) => importLines(store, project, kind, bytes),
    exportLines: (project, kind, evaluations) => exportLines({ calls, rows }, project, kind, evaluations),
    remove: (deletion) => store.delete(deletion),
    traces: (local) => ({
      ...local,
      calls: callStoreOver(calls),
      tables: {
        ...local.tables,
        // Rows first: once a table is listed, all of its rows exist.
        async put(project, digest, rowDigests, given) {
          await rows.put(project, given);
          await local.tables.put(project, digest, rowDigests, given);
        },
      },
    }),
    close,
  };
}

/** A data directory whose evaluations are in a ClickHouse database, with everything else in the directory. */
export function withClickHouse(
  { saveWritten: _, openAhead: __, records: ___, ...local }: DataDirectory,
  data: ClickHouseData,
): DataDirectory {
  return {
    ...local,
    ...data,
    where: `${data.where} and ${local.where}`,
    traces: data.traces(local.traces),
    // Tables stay in the directory and list rows of the database.
    remove: async (deletion) =>
      data.remove({ ...deletion, keepRows: await local.stores.hasTables(deletion.project) }),
    async close() {
      await data.close();
      await local.close();
    },
  };
}

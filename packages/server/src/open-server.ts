// The whole service over its stores: one handler, which keeps answering while an evaluation or a project is deleted.

import { type Deletion, type DeletionReport, deleteRecords } from "@assay/adapters-duckdb";
import { rewriteFiles } from "@assay/adapters-duckdb/internal";
import type { RemovalReport } from "@assay/adapters-http/internal";
import { Fault } from "@assay/base";
import { checkMembers, type Members } from "@assay/base/internal";
import { checkAreas } from "./areas/area-names.ts";
import { dataOver, openDirectory } from "./backends/open-directory.ts";
import { retentionSweep } from "./data/retention.ts";
import type { DataDirectory, ServerData, ServerStores } from "./data/server-data.ts";
import { newServerSecret } from "./identity/server-identity.ts";
import { readWriteLock } from "./read-write-lock.ts";
import { SERVER_SETTINGS, type Server, type ServerSettings } from "./settings/server-settings.ts";
import { type ServerMetrics, serverMetrics } from "./telemetry/metrics.ts";
import { tracedStores } from "./telemetry/tracing.ts";

/** Where a server keeps everything: a data directory, or your own stores. */
type ServerStorage =
  | {
      /** The path of a data directory, or an open one. The server takes over an open one and closes it. */
      readonly directory: string | DataDirectory;
    }
  | {
      /** The stores. The server never deletes from them permanently. */
      readonly stores: ServerStores;
      /**
       * A folder for files that engines and workers read, such as adapters of checkpoints and logs. Created on demand.
       */
      readonly folder: string;
    };

/** Options of a server. */
export type ServerOptions = ServerStorage & ServerSettings;

type KeysOfAny<Union> = Union extends Union ? keyof Union : never;
type EveryOption = Record<KeysOfAny<ServerOptions>, unknown>;
const OPTIONS: Members<EveryOption> = {
  ...SERVER_SETTINGS,
  ...{ directory: "any?", stores: "object?", folder: "text?" },
};

/**
 * Loads the code of a server that listens. A program that calls it concurrently with `openDirectory` has loaded most of
 * it once the database, which opens in other threads, is open.
 */
export async function loadServer(): Promise<void> {
  const { loadAnswers } = await import("./answering.ts");
  await loadAnswers();
}

/**
 * Opens a server. Throws what `openDirectory` throws, and a `TypeError` without a directory or stores, for an unknown
 * option, and for retention rules over your own stores.
 */
export async function openServer(given: ServerOptions): Promise<Server> {
  checkOptions(given);
  const metrics = given.metrics === true ? await serverMetrics() : undefined;
  const options = metrics === undefined ? given : observed(given, metrics);
  const { tell = () => {}, onLost = () => {}, onError = () => {} } = options;
  const secret = newServerSecret();
  const since = Date.now();
  const lock = readWriteLock();
  const { openAnswering } = await import("./answering.ts");
  const place = await openStorage(options, tell);
  let served = place.data;
  let url: string | undefined;

  /** Closes and reopens everything around `act`, which rewrites files: columns in memory may hold deleted data. */
  const whileClosed = <T>(check: () => Promise<void>, act: () => Promise<T>): Promise<T> =>
    lock.exclusive(async () => {
      await check();
      await answering.close();
      await served.close();
      try {
        return await act();
      } finally {
        await reopen().catch((error: unknown) => {
          onLost(error);
          throw error;
        });
      }
    });
  const removeFiles = ({ path }: DataDirectory, deletion: Deletion): Promise<DeletionReport> =>
    whileClosed(
      () => checkThere(served, deletion),
      () => deleteRecords(path, deletion, tell),
    );
  const eraseFrom =
    ({ path }: DataDirectory) =>
    () =>
      whileClosed(
        async () => {},
        () => rewriteFiles(path, tell),
      );
  const removeFrom =
    (directory: DataDirectory) =>
    async (deletion: Deletion): Promise<RemovalReport> => {
      if (served.remove === undefined) return removeFiles(directory, deletion);
      if (deletion.evaluations !== undefined) return served.remove(deletion);
      // Logged data other than calls and rows is in the directory, under the project's name.
      const here = await isThere(served, deletion.project);
      const report = await served.remove(deletion).catch((error: unknown) => {
        if (here && error instanceof Fault && error.code === "missing") return { calls: 0, rows: 0 };
        throw error;
      });
      if (!here) return report;
      const { calls, rows, ...logged } = await removeFiles(directory, deletion);
      return { ...report, ...logged, calls: report.calls + calls, rows: report.rows + rows };
    };
  const remove = place.directory && removeFrom(place.directory);
  const erase = place.directory && eraseFrom(place.directory);
  const open = () =>
    openAnswering({
      ...{ options, metrics, data: served, folder: place.folder, secret, since, remove, erase, tell },
    });
  const reopen = async (): Promise<void> => {
    served = await place.reopen();
    answering = await open();
    served.whenBroken?.(heal);
    if (url !== undefined) answering.listening(url);
  };
  let healing = false;
  /** Reopens the data, which repairs itself from its log. */
  const heal = (fault: Fault): void => {
    if (healing) return;
    healing = true;
    const act = async (): Promise<void> => {
      // Everything on disk is safe, and every write that failed was answered with a fault.
      await answering.close().catch(onError);
      await served.close().catch(onError);
      await reopen();
      const message = `${served.where} was closed and opened again: ${fault.message}`;
      onError(new Fault(fault.code, message, { cause: fault.cause, file: fault.file }));
    };
    lock
      .exclusive(act, { within: false })
      .catch(onLost)
      .finally(() => {
        healing = false;
      });
  };

  const openOrClose = () =>
    open().catch(async (error: unknown) => {
      await served.close();
      throw error;
    });
  let answering = await openOrClose().catch(async (error: unknown) => {
    // A database whose damage only showed on reading is rebuilt from its log when it is reopened.
    if (!(error instanceof Fault) || error.code !== "corrupt") throw error;
    served = await place.reopen();
    return openOrClose();
  });
  served.whenBroken?.(heal);
  const { retention: rules } = options;
  const retention =
    rules === undefined || remove === undefined
      ? undefined
      : retentionSweep({ rules, data: () => served, remove, tell, onError });
  const close = async (): Promise<void> => {
    await retention?.stop();
    answering.endStreams();
    // This includes requests of clients that have left: they still read the data, and would fail if it closed under
    // them.
    await lock.exclusive(
      async () => {
        try {
          await answering.close();
        } finally {
          await served.close();
        }
      },
      { within: false },
    );
  };
  let closed: Promise<void> | undefined;
  return {
    handler: (request) => lock.shared(() => answering.handler(request)),
    routes: answering.routes,
    get data() {
      return served;
    },
    listening(at) {
      url = at;
      answering.listening(at);
      retention?.start();
    },
    whoMayAsk: () => answering.whoMayAsk(),
    endStreams: () => answering.endStreams(),
    close() {
      // Only once: a file descriptor that is closed twice may belong to another file by then.
      closed ??= close();
      return closed;
    },
  };
}

function checkOptions(given: ServerOptions): void {
  checkMembers<Partial<EveryOption>>("options", given, OPTIONS);
  checkAreas(given.areas);
  if (!("stores" in given) && !given.directory)
    throw new TypeError("a server needs a directory, or stores and a folder");
  if (given.retention === undefined) return;
  if ("stores" in given)
    throw new TypeError("retention needs a data directory; with your own stores, delete old data yourself");
  checkMembers("retention", given.retention, { days: "number?", projects: "object?" });
}

/** The same settings, which also count what happens in the metrics. */
function observed(options: ServerOptions, metrics: ServerMetrics): ServerOptions {
  const { onError, onAnswer } = options;
  return {
    ...options,
    onError(error) {
      metrics.failed(error);
      onError?.(error);
    },
    onAnswer(answered) {
      metrics.answered(answered);
      onAnswer?.(answered);
    },
  };
}

/** Where everything is kept. */
interface OpenStorage {
  readonly data: ServerData;
  readonly folder: string;
  /** The data directory, if it is one. */
  readonly directory?: DataDirectory;
  /** Reopens it after it was closed. */
  reopen(): Promise<ServerData>;
}

async function openStorage(options: ServerOptions, tell: (message: string) => void): Promise<OpenStorage> {
  if ("stores" in options) {
    const data = dataOver(tracedStores(options.stores), "custom stores");
    return { data, folder: options.folder, reopen: async () => data };
  }
  const given = options.directory;
  const directory = typeof given === "string" ? await openDirectory(given, { tell }) : given;
  const { path } = directory;
  return { data: directory, folder: path, directory, reopen: () => openDirectory(path, directory.options) };
}

/** Whether the stores hold anything of a project: calls and rows, or runs and artifacts. */
async function isThere({ stores }: ServerData, name: string): Promise<boolean> {
  if (stores.projects().includes(name)) return true;
  const [entity = "", project = ""] = name.split("/");
  const of = { entity, project };
  return (await stores.tracking.runCount(of)) > 0 || (await stores.tracking.collectionCount(of)) > 0;
}

/** Throws a `missing` fault for a project or an evaluation that does not exist. */
async function checkThere(data: ServerData, { project, evaluations = [] }: Deletion): Promise<void> {
  if (!(await isThere(data, project))) throw new Fault("missing", `there is no project ${project}`);
  const calls = await data.traces.calls.get(project, evaluations);
  const missing = evaluations.find((_, i) => calls[i] === undefined);
  if (missing !== undefined) throw new Fault("missing", `there is no evaluation ${missing} in ${project}`);
}

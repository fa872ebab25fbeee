// The whole service over its stores: one handler, which goes on answering while an evaluation or a project is deleted.

import { type Deletion, type DeletionReport, deleteRecords, writeFilesAnew } from "@assay/adapters-duckdb";
import {
  type AnsweredRequest,
  backupFace,
  createHandler,
  type Face,
  type Handler,
  type MetricsFaceOptions,
  metricsFace,
  type RemovalReport,
  room,
} from "@assay/adapters-http";
import type { UpstreamConfig } from "@assay/adapters-openai";
import { Fault } from "@assay/base";
import type { LimitOptions, Prices } from "@assay/inference-core";
import { accessTo, type ServerAccess, type WhoMayAsk } from "./access.ts";
import { type AreaName, openAreas } from "./areas/areas.ts";
import { servedPage } from "./areas/page.ts";
import { type ServerMetrics, serverMetrics } from "./metrics.ts";
import { dataOver, openDirectory } from "./open-directory.ts";
import { withPrices } from "./priced-data.ts";
import { type RetentionRules, retentionSweep } from "./retention.ts";
import type { DataDirectory, ServerData, ServerStores } from "./server-data.ts";
import { newServerSecret, proofFace } from "./server-proof.ts";
import { tracedData, tracedRequest } from "./tracing.ts";
import { DEFAULT_TRAINING, type TrainingConfig } from "./training/config.ts";
import { turnstile } from "./turnstile.ts";

/** What a server keeps everything in: a data directory, or stores of somebody's own. */
export type ServerPlace =
  | {
      /** The path of a data directory, or one that is open: that one is the server's from then on, to close too. */
      readonly directory: string | DataDirectory;
    }
  | {
      /** The stores. Nothing is deleted for ever in them while the server runs. */
      readonly stores: ServerStores;
      /** A folder for files that engines and workers read: adapters of checkpoints, logs. Made when it is needed. */
      readonly folder: string;
    };

/** How to serve. */
export interface ServerSettings extends ServerAccess {
  /** What of the interface is served. Default: everything. */
  readonly areas?: readonly AreaName[] | undefined;
  /** The engines that answer chats: what `readUpstreams` of `@assay/adapters-openai` gives. Default: the tiny model alone. */
  readonly upstreams?: readonly UpstreamConfig[] | undefined;
  /** What trains. Default: tiny models, in this process. */
  readonly training?: TrainingConfig | undefined;
  /** The environment of commands that train. Default: that of this process. */
  readonly env?: { readonly [name: string]: string | undefined } | undefined;
  /** What tokens cost. Default: no price is known. */
  readonly prices?: Prices | undefined;
  /** What keys and projects may use. Default: as much as there is. */
  readonly limits?: LimitOptions | undefined;
  /**
   * How long evaluations are kept: those that are older are deleted for ever, at the start and then every day. It needs a
   * data directory. Default: for ever.
   */
  readonly retention?: RetentionRules | undefined;
  /** Streams that one key may have open at once. Default 64. */
  readonly streams?: number | undefined;
  /** Origins of web pages that may use the server. Default: none but its own. */
  readonly origins?: readonly string[] | undefined;
  /** Where clients reach the server when that is not where their requests go, as behind a proxy that speaks TLS. */
  readonly publicUrl?: string | undefined;
  /** The folder of the page for people, or `false` for none. Default: where `@assay/web` has built it. */
  readonly page?: URL | false | undefined;
  /** Once aborted, `GET /v1/health/ready` says that the server is about to end; it still answers. */
  readonly draining?: AbortSignal | undefined;
  /** Whether `GET /metrics` says how it is doing, in the text format of Prometheus. Default false. */
  readonly metrics?: boolean | undefined;
  /** Told of every failure that a client was answered with a 5xx for, or that no client waits for. Default: nobody. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Told of every answer as it begins, for a log of requests. Default: nobody. */
  readonly onAnswer?: ((answered: AnsweredRequest) => void) | undefined;
  /** Is told, in a sentence, of what can be mended, and of files that had to be. Default: nobody. */
  readonly tell?: ((message: string) => void) | undefined;
  /**
   * Told when the data could not be opened again, after something was deleted or the disk had failed: nothing is answered
   * from then on.
   */
  readonly onLost?: ((error: unknown) => void) | undefined;
}

/** Over what to serve, and how. */
export type ServerOptions = ServerPlace & ServerSettings;

/** A server that is open: it listens nowhere by itself. */
export interface Server {
  /** Answers a request. Never rejects. */
  readonly handler: Handler;
  /** What it answers, in the syntax of Hono's routes: for a server that passes on no more. `ALL` is every method. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  /** The data it serves, as it is open now: after a deletion it is another. */
  readonly data: ServerData;
  /**
   * To be told once where the handler answers, as in `http://127.0.0.1:7777`: jobs are trained from then on, what is too old
   * is deleted, and commands find the server by its directory.
   */
  listening(url: string): void;
  /** Who may ask, as things are now. */
  whoMayAsk(): Promise<WhoMayAsk>;
  /** Ends streams and what runs in the background, then closes the data. */
  close(): Promise<void>;
}

/**
 * Bytes of bodies, of what is built of them, of lines that are imported and of streams that are open, all areas and keys
 * together: half of what a server with a gibibyte may grow by, as none of them is counted to the byte.
 */
const MEMORY = 384 * 2 ** 20;

/** Opens a server. Throws what `openDirectory` throws; a `TypeError` for rules of retention over stores of one's own. */
export async function openServer(given: ServerOptions): Promise<Server> {
  if (given.retention !== undefined && "stores" in given)
    throw new TypeError(
      "retention needs a data directory: in stores of your own, delete what is old yourself",
    );
  const metrics = given.metrics === true ? await serverMetrics() : undefined;
  const options = metrics === undefined ? given : observed(given, metrics);
  const { tell = () => {}, onLost = () => {}, onError = () => {} } = options;
  const secret = newServerSecret();
  const entrance = turnstile();
  const place = await openPlace(options, tell);
  let served = place.data;
  let url: string | undefined;

  /** Files are written anew, and columns in memory are of what is to be gone: everything is closed and opened again. */
  const whileClosed = <T>(check: () => Promise<void>, act: () => Promise<T>): Promise<T> =>
    entrance.alone(async () => {
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
        () => writeFilesAnew(path, tell),
      );
  const removeFrom =
    (directory: DataDirectory) =>
    async (deletion: Deletion): Promise<RemovalReport> => {
      if (served.remove === undefined) return removeFiles(directory, deletion);
      if (deletion.evaluations !== undefined) return served.remove(deletion);
      // What clients log besides calls and rows is in the directory, under the project's name.
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
    openAnswering({ options, metrics, data: served, folder: place.folder, secret, remove, erase, tell });
  const reopen = async (): Promise<void> => {
    served = await place.reopen();
    answering = await open();
    served.whenBroken?.(heal);
    if (url !== undefined) answering.listening(url);
  };
  let healing = false;
  /** Opens the data again, which is made whole from its log as it opens. */
  const heal = (fault: Fault): void => {
    if (healing) return;
    healing = true;
    const act = async (): Promise<void> => {
      // What cannot be put away now is on the disk: whatever was not was answered with a fault.
      await answering.close().catch(onError);
      await served.close().catch(onError);
      await reopen();
      const message = `${served.where} was closed and opened again: ${fault.message}`;
      onError(new Fault(fault.code, message, { cause: fault.cause, file: fault.file }));
    };
    entrance
      .alone(act, { within: false })
      .catch(onLost)
      .finally(() => {
        healing = false;
      });
  };

  let answering = await open().catch(async (error: unknown) => {
    await served.close();
    throw error;
  });
  served.whenBroken?.(heal);
  const { retention: rules } = options;
  const retention =
    rules === undefined || remove === undefined
      ? undefined
      : retentionSweep({ rules, data: () => served, remove, tell, onError });
  return {
    handler: (request) => entrance.pass(() => answering.handler(request)),
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
    async close() {
      await retention?.stop();
      try {
        await answering.close();
      } finally {
        await served.close();
      }
    },
  };
}

/** The same settings, with metrics told of what happens as well. */
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
interface OpenPlace {
  readonly data: ServerData;
  readonly folder: string;
  /** The data directory, where it is one. */
  readonly directory?: DataDirectory;
  /** Opens it again after it was closed. */
  reopen(): Promise<ServerData>;
}

async function openPlace(options: ServerOptions, tell: (message: string) => void): Promise<OpenPlace> {
  if ("stores" in options) {
    const data = dataOver(options.stores, "stores of its own");
    return { data, folder: options.folder, reopen: async () => data };
  }
  const given = options.directory;
  const directory = typeof given === "string" ? await openDirectory(given, { tell }) : given;
  const { path } = directory;
  return { data: directory, folder: path, directory, reopen: () => openDirectory(path, directory.options) };
}

/** Whether anything of a project is in the stores: calls and rows, or runs and artifacts. */
async function isThere({ stores }: ServerData, name: string): Promise<boolean> {
  if (stores.projects().includes(name)) return true;
  const [entity = "", project = ""] = name.split("/");
  const of = { entity, project };
  return (await stores.tracking.runCount(of)) > 0 || (await stores.tracking.collectionCount(of)) > 0;
}

/** Throws a `missing` fault for a project or an evaluation that is not there. */
async function checkThere(data: ServerData, { project, evaluations = [] }: Deletion): Promise<void> {
  if (!(await isThere(data, project))) throw new Fault("missing", `there is no project ${project}`);
  const calls = await data.traces.calls.get(project, evaluations);
  const missing = evaluations.find((_, i) => calls[i] === undefined);
  if (missing !== undefined) throw new Fault("missing", `there is no evaluation ${missing} in ${project}`);
}

function facedMetrics(
  metrics: ServerMetrics,
  stores: ServerStores,
  asking: Pick<MetricsFaceOptions, "authenticate" | "onError">,
): Face {
  const { contentType } = metrics;
  return metricsFace({ metrics: () => metrics.text(stores), contentType, ...asking });
}

/** What the handler answers beside its faces. */
const OWN_ROUTES = ["/openapi.json", "/docs", "/docs.css", "/llms.txt", "/v1/health", "/v1/health/ready"];

/** What answers over open data, until it is closed. The data stays open. */
type Answering = Omit<Server, "data">;

interface AnsweringParts {
  readonly options: ServerSettings;
  readonly metrics: ServerMetrics | undefined;
  readonly data: ServerData;
  readonly folder: string;
  readonly secret: string;
  readonly remove: ((deletion: Deletion) => Promise<RemovalReport>) | undefined;
  readonly erase: (() => Promise<void>) | undefined;
  readonly tell: (message: string) => void;
}

async function openAnswering(parts: AnsweringParts): Promise<Answering> {
  const { options, metrics, data, folder, secret, remove, erase, tell } = parts;
  const { onError = () => {}, onAnswer, draining, prices, limits, publicUrl } = options;
  const keys = await data.stores.openKeys();
  const { authenticate, keyless, whoMayAsk } = accessTo(keys, options);
  const memory = room(MEMORY);
  const closing = new AbortController();
  const page = options.page === false ? undefined : options.page;
  const areas = await openAreas(
    {
      data: tracedData(withPrices(data, prices)),
      folder,
      keys,
      upstreams: options.upstreams ?? [],
      training: options.training ?? DEFAULT_TRAINING,
      env: options.env ?? process.env,
      closing: closing.signal,
      ...{ authenticate, keyless, memory, remove, erase, prices, limits, publicUrl, page, tell, onError },
      onUsage: metrics?.used,
    },
    options.areas,
  );
  const faces = [
    ...areas.flatMap((area) => area.faces),
    proofFace(secret),
    backupFace({ backup: data.stores.backup?.bind(data.stores), authenticate, onError }),
    ...(metrics === undefined ? [] : [facedMetrics(metrics, data.stores, { authenticate, onError })]),
    ...(options.page === false ? [] : servedPage(page, tell)),
  ];
  const routes = faces.flatMap(({ app }) => app.routes.map(({ method, path }) => ({ method, path })));
  return {
    routes: [...routes, ...OWN_ROUTES.map((path) => ({ method: "GET", path }))],
    handler: createHandler({
      faces,
      onError,
      authenticate,
      keyless,
      async ready() {
        if (draining?.aborted) throw new Fault("unavailable", "the server is about to end");
        await data.stores.check?.();
      },
      origins: options.origins ?? [],
      streams: { authenticate, memory, maxOfKey: options.streams, onCount: metrics?.streams },
      around: tracedRequest,
      ...(onAnswer !== undefined && { onAnswer }),
    }),
    listening(url) {
      data.announce?.(url, secret);
      for (const area of areas) area.started?.(url);
    },
    whoMayAsk,
    async close() {
      closing.abort();
      const failures: unknown[] = [];
      for (const area of areas.toReversed()) {
        try {
          await area.close?.();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

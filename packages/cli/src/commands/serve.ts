// assay serve: answers over HTTP until it is told to stop.

import { setTimeout } from "node:timers/promises";
import { type Deletion, type DeletionReport, deleteRecords, openKeyStore } from "@assay/adapters-duckdb";
import {
  anyAuthentication,
  createHandler,
  type Handler,
  isLoopback,
  keyAuthentication,
  type OpenUntilKeyed,
  openUntilKeyed,
  type RemovalReport,
  type RunningServer,
  room,
  serveHttp,
  storedKeyAuthentication,
} from "@assay/adapters-http";
import { Fault } from "@assay/base";
import { isUsable, type KeyStore, type LimitOptions, type Prices } from "@assay/inference-core";
import { EXIT, Failure } from "../failure.ts";
import { type LocalData, openLocalData } from "../local-data.ts";
import type { OpenOptions } from "../open-data.ts";
import { openAreas } from "../server/areas.ts";
import { servedPage } from "../server/page.ts";
import { turnstile } from "../server/turnstile.ts";
import { serverLog } from "../server-log.ts";
import { newServerSecret, proofFace } from "../server-proof.ts";
import { print, say, type World } from "../world.ts";

/** Where to serve. */
export interface ServeOptions extends OpenOptions {
  readonly host: string;
  readonly port: number;
  /** File of the upstreams: the engines that answer chats. */
  readonly upstreams: string | undefined;
  /** The file that says what trains. */
  readonly training?: string | undefined;
  /** Whether to say on stderr how each request was answered. */
  readonly log?: boolean | undefined;
  /** Origins of web pages that may use the server. */
  readonly origins?: readonly string[] | undefined;
  /** Where clients reach the server when that is not where their requests go. */
  readonly publicUrl?: string | undefined;
  /** Streams that one key may have open at once. */
  readonly streams?: number | undefined;
  /** Seconds in which it says that it is not ready, and still answers, once it was told to stop. Default 0. */
  readonly drain?: number | undefined;
  /** What tokens cost. */
  readonly prices?: Prices | undefined;
  /** What keys and projects may use. */
  readonly limits?: LimitOptions | undefined;
}

/** Opens the data directory and serves it. Gives the exit code once it was told to stop. */
export async function serveCommand(world: World, options: ServeOptions): Promise<number> {
  const data = await openServed(world, options);
  try {
    return await serveData(world, data, options, (url) =>
      [`The page is at ${url}/`, curlOf("acme/demo", [])(url)].join("\n"),
    );
  } finally {
    await data.close();
  }
}

/** The data directory, and the database that holds the evaluations when one is named. */
async function openServed(world: World, { data, store }: ServeOptions): Promise<LocalData> {
  const local = await openLocalData(data, world);
  if (store === undefined) return local;
  try {
    const { openClickHouseData, withClickHouse } = await import("../clickhouse-data.ts");
    return withClickHouse(local, await openClickHouseData(store));
  } catch (error) {
    await local.close();
    throw error;
  }
}

/**
 * Bytes of bodies, of what is built of them, of lines that are imported and of streams that are open, all areas and keys
 * together: half of what a server with a gibibyte may grow by, as none of them is counted to the byte.
 */
const MEMORY = 384 * 2 ** 20;

/** Serves open data until the world says stop; `example` is a first command to ask it with. */
export async function serveData(
  world: World,
  data: LocalData,
  options: ServeOptions,
  example: (url: string) => string,
): Promise<number> {
  const log = await serverLog(world, options.log === true);
  const secret = newServerSecret();
  const entrance = turnstile();
  let served = data;
  let url: string | undefined;
  const draining = new AbortController();
  let lose: (error: unknown) => void = () => {};
  const lost = new Promise<never>((_, reject) => {
    lose = reject;
  });
  lost.catch(() => {});

  const removeFiles = (deletion: Deletion): Promise<DeletionReport> =>
    entrance.alone(async () => {
      await checkThere(served, deletion);
      // Files are written anew, and columns in memory are of what is to be gone: everything is closed and opened again.
      await answering.close();
      await served.close();
      try {
        return await deleteRecords(options.data, deletion, (message) => say(world, `assay: ${message}`));
      } finally {
        await reopen().catch((error: unknown) => {
          lose(error);
          throw error;
        });
      }
    });
  const remove = async (deletion: Deletion): Promise<RemovalReport> => {
    if (served.remove === undefined) return removeFiles(deletion);
    const report = await served.remove(deletion);
    // What clients log besides calls and rows is in the directory, under the project's name.
    if (deletion.evaluation !== undefined || !served.store.projects().includes(deletion.project))
      return report;
    const { calls, rows } = await removeFiles(deletion);
    return { ...report, calls: report.calls + calls, rows: report.rows + rows };
  };
  const open = () =>
    openAnswering({ world, data: served, options, log, secret, remove, draining: draining.signal });
  const reopen = async (): Promise<void> => {
    served = await openServed(world, options);
    answering = await open();
    answering.started(url!, served);
  };

  let answering = await open();
  try {
    const server = await listen((request) => entrance.pass(() => answering.handler(request)), options);
    url = server.url;
    answering.started(url, served);
    await print(
      world,
      [
        `Assay answers at ${server.url} (data in ${data.where})`,
        await answering.whoMayAsk(),
        example(server.url),
        "Ctrl-C stops it.",
      ].join("\n"),
    );
    try {
      await Promise.race([stopped(world.signal), lost]);
      // Whoever sends requests here, a load balancer, sees that it is to send them elsewhere, while they are still answered.
      draining.abort();
      await setTimeout(1000 * (options.drain ?? 0));
    } finally {
      await server.close();
    }
    return EXIT.ok;
  } finally {
    await answering.close();
    if (served !== data) await served.close();
  }
}

/** Throws a `missing` fault for a project or an evaluation that is not there. */
async function checkThere({ store, traces }: LocalData, { project, evaluation }: Deletion): Promise<void> {
  if (!store.projects().includes(project)) throw new Fault("missing", `there is no project ${project}`);
  if (evaluation === undefined) return;
  const [call] = await traces.calls.get(project, [evaluation]);
  if (call === undefined) throw new Fault("missing", `there is no evaluation ${evaluation} in ${project}`);
}

/** What answers over an open data directory, until it is closed. */
interface Answering {
  readonly handler: Handler;
  /** Told where it answers. */
  started(url: string, data: LocalData): void;
  /** Who may ask, for a person. */
  whoMayAsk(): Promise<string>;
  /** Ends streams and what runs in the background. The data stays open. */
  close(): Promise<void>;
}

interface AnsweringParts {
  readonly world: World;
  readonly data: LocalData;
  readonly options: ServeOptions;
  readonly log: Awaited<ReturnType<typeof serverLog>>;
  readonly secret: string;
  readonly remove: (deletion: Deletion) => Promise<RemovalReport>;
  /** Aborted when the server is about to end. */
  readonly draining: AbortSignal;
}

async function openAnswering(parts: AnsweringParts): Promise<Answering> {
  const { world, data, options, log, secret, remove, draining } = parts;
  const { onError } = log;
  const keys = await openKeyStore(data.store.database);
  const { authenticate, keyless } = await accessOf(options, keys);
  const memory = room(MEMORY);
  const ending = new AbortController();
  const areas = await openAreas({
    world: { ...world, signal: AbortSignal.any([world.signal, ending.signal]) },
    data,
    store: data.store,
    directory: options.data,
    keys,
    upstreams: options.upstreams,
    authenticate,
    keyless,
    memory,
    trainingFile: options.training,
    remove,
    prices: options.prices,
    limits: options.limits,
    publicUrl: options.publicUrl,
    onError,
  });
  const faces = [...areas.flatMap((area) => area.faces), proofFace(secret), ...servedPage(world)];
  return {
    handler: createHandler({
      faces,
      ...log,
      authenticate,
      keyless,
      async ready() {
        if (draining.aborted) throw new Fault("unavailable", "the server is about to end");
        // A database that gave itself up after a failed write refuses every statement, this one too.
        await data.store.database.columns("SELECT 1");
      },
      origins: options.origins ?? [],
      streams: { authenticate, memory, maxOfKey: options.streams },
    }),
    started(url, open) {
      open.announce(url, secret);
      for (const area of areas) area.started?.(url);
    },
    whoMayAsk: () => whoMayAsk(options, keyless),
    async close() {
      ending.abort();
      for (const area of areas.toReversed()) await area.close?.();
    },
  };
}

/**
 * Who may ask: who has the server's key, which is one for everything, or a stored key, which is one for its scopes; and
 * when there has never been a key of either kind, every program of this machine when no other machine is served.
 */
async function accessOf({ apiKey, host }: ServeOptions, keys: KeyStore): Promise<OpenUntilKeyed> {
  const stored = storedKeyAuthentication(keys, Date.now);
  const keyless = async () => false;
  if (apiKey !== undefined)
    return { authenticate: anyAuthentication([keyAuthentication(apiKey), stored]), keyless };
  if (isLoopback(host)) return openUntilKeyed(keys, Date.now);
  if (await hasUsableKey(keys, Date.now())) return { authenticate: stored, keyless };
  throw new Failure(
    EXIT.usage,
    `without an API key only this machine is served: assay keys create makes one, or set ASSAY_API_KEY to serve ${host}, or use --host 127.0.0.1`,
  );
}

async function hasUsableKey(keys: KeyStore, now: number): Promise<boolean> {
  let after: string | undefined;
  for (;;) {
    const page = await keys.list(1000, after);
    if (page.some((key) => isUsable(key, now))) return true;
    after = page.at(-1)?.id;
    if (after === undefined) return false;
  }
}

async function whoMayAsk({ apiKey }: ServeOptions, keyless: () => Promise<boolean>): Promise<string> {
  if (apiKey !== undefined)
    return "It asks for the API key, or one of assay keys, as Bearer KEY or as Basic with user api.";
  return (await keyless())
    ? "There is no API key: it is open to every program on this machine, and to no other machine, until assay keys create makes one."
    : "It asks for one of the keys of assay keys, as Bearer KEY or as Basic with user api.";
}

async function listen(
  handler: Parameters<typeof serveHttp>[0]["handler"],
  options: ServeOptions,
): Promise<RunningServer> {
  try {
    return await serveHttp({ handler, host: options.host, port: options.port, ownsProcess: true });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Failure(EXIT.failed, `${error.message}; choose another with --port or ASSAY_PORT, or --host`, {
      cause: error,
    });
  }
}

/** A first query, as a line for a shell. */
export function curlOf(project: string, evaluations: readonly string[]): (url: string) => string {
  const body = {
    evaluation_call_ids: evaluations.length > 0 ? evaluations : ["EVALUATION-ID"],
    include_summary: true,
    limit: 5,
  };
  return (url) =>
    `  curl -s ${url}/v2/${project}/eval_results/query -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

// assay serve: answers over HTTP until it is told to stop.

import { openKeyStore } from "@assay/adapters-duckdb";
import {
  type Authenticate,
  anyAuthentication,
  createHandler,
  isLoopback,
  keyAuthentication,
  loopbackAuthentication,
  type RunningServer,
  serveHttp,
  storedKeyAuthentication,
} from "@assay/adapters-http";
import { Fault } from "@assay/base";
import { isUsable, type KeyStore } from "@assay/inference-core";
import { EXIT, errorLine, Failure } from "../failure.ts";
import { type LocalData, openLocalData } from "../local-data.ts";
import type { OpenOptions } from "../open-data.ts";
import { openAreas } from "../server/areas.ts";
import { print, say, type World } from "../world.ts";

/** Where to serve. */
export interface ServeOptions extends OpenOptions {
  readonly host: string;
  readonly port: number;
  /** File of the upstreams: the engines that answer chats. */
  readonly upstreams: string | undefined;
  /** The file that says what trains. */
  readonly training?: string | undefined;
}

/** Opens the data directory and serves it. Gives the exit code once it was told to stop. */
export async function serveCommand(world: World, options: ServeOptions): Promise<number> {
  const data = await openServed(options);
  try {
    return await serveData(world, data, options, curlOf("acme/demo", []));
  } finally {
    await data.close();
  }
}

/** The data directory, and the database that holds the evaluations when one is named. */
async function openServed({ data, store }: ServeOptions): Promise<LocalData> {
  const local = await openLocalData(data);
  if (store === undefined) return local;
  try {
    const { openClickHouseData, withClickHouse } = await import("../clickhouse-data.ts");
    return withClickHouse(local, await openClickHouseData(store));
  } catch (error) {
    await local.close();
    throw error;
  }
}

/** Serves open data until the world says stop; `example` is a first command to ask it with. */
export async function serveData(
  world: World,
  data: LocalData,
  options: ServeOptions,
  example: (url: string) => string,
): Promise<number> {
  const onError = (error: unknown) => say(world, `assay: ${errorLine(world, error)}`);
  const keys = await openKeyStore(data.store.database);
  const authenticate = await authenticationOf(options, keys);
  const areas = await openAreas({
    world,
    data,
    store: data.store,
    directory: options.data,
    keys,
    upstreams: options.upstreams,
    authenticate,
    trainingFile: options.training,
    onError,
  });
  try {
    const faces = areas.flatMap((area) => area.faces);
    const server = await listen(createHandler({ faces, onError }), options);
    data.announce(server.url);
    for (const area of areas) area.started?.(server.url);
    await print(
      world,
      [
        `Assay answers at ${server.url} (data in ${data.where})`,
        whoMayAsk(options),
        example(server.url),
        "Ctrl-C stops it.",
      ].join("\n"),
    );
    await stopped(world.signal);
    await server.close();
    return EXIT.ok;
  } finally {
    for (const area of areas.toReversed()) await area.close?.();
  }
}

/**
 * Who may ask: who has the server's key, which is one for everything, or a stored key, which is one for its scopes; and
 * without the former, every program of this machine when no other machine is served.
 */
async function authenticationOf({ apiKey, host }: ServeOptions, keys: KeyStore): Promise<Authenticate> {
  const stored = storedKeyAuthentication(keys, Date.now);
  if (apiKey !== undefined) return anyAuthentication([keyAuthentication(apiKey), stored]);
  if (isLoopback(host)) return anyAuthentication([stored, loopbackAuthentication()]);
  if (await hasUsableKey(keys, Date.now())) return stored;
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

function whoMayAsk({ apiKey, host }: ServeOptions): string {
  if (apiKey !== undefined)
    return "It asks for the API key, or one of assay keys, as Bearer KEY or as Basic with user api.";
  return isLoopback(host)
    ? "No API key is set: it is open to every program on this machine, and to no other machine."
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

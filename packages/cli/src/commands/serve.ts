// assay serve: answers over HTTP until it is told to stop.

import {
  type Authenticate,
  createHandler,
  isLoopback,
  keyAuthentication,
  loopbackAuthentication,
  type RunningServer,
  serveHttp,
} from "@assay/adapters-http";
import { Fault } from "@assay/base";
import { EXIT, Failure } from "../failure.ts";
import { type LocalData, openLocalData } from "../local-data.ts";
import type { OpenOptions } from "../open-data.ts";
import { openAreas } from "../server/areas.ts";
import { print, say, type World } from "../world.ts";

/** Where to serve. */
export interface ServeOptions extends OpenOptions {
  readonly host: string;
  readonly port: number;
  /** The file that says what trains. */
  readonly training?: string | undefined;
}

/** Opens the data directory and serves it. Gives the exit code once it was told to stop. */
export async function serveCommand(world: World, options: ServeOptions): Promise<number> {
  const authenticate = authenticationOf(options);
  const data = await openLocalData(options.data);
  try {
    return await serveData(world, data, authenticate, options, curlOf("acme/demo", []));
  } finally {
    await data.close();
  }
}

/** Serves open data until the world says stop; `example` is a first command to ask it with. */
export async function serveData(
  world: World,
  data: LocalData,
  authenticate: Authenticate,
  options: ServeOptions,
  example: (url: string) => string,
): Promise<number> {
  const onError = (error: unknown) => say(world, `assay: ${errorLine(world, error)}`);
  const areas = await openAreas({
    world,
    data,
    store: data.store,
    directory: options.data,
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
        `Assay answers at ${server.url} (data in ${options.data})`,
        options.apiKey === undefined
          ? "No API key is set: it is open to every program on this machine, and to no other machine."
          : "It asks for the API key, as Bearer KEY or as Basic with user api.",
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

/** Who may ask: with a key who has it; with none, this machine alone. */
export function authenticationOf({ apiKey, host }: ServeOptions): Authenticate {
  if (apiKey !== undefined) return keyAuthentication(apiKey);
  if (isLoopback(host)) return loopbackAuthentication();
  throw new Failure(
    EXIT.usage,
    `without an API key only this machine is served: set ASSAY_API_KEY to serve ${host}, or use --host 127.0.0.1`,
  );
}

async function listen(
  handler: Parameters<typeof serveHttp>[0]["handler"],
  options: ServeOptions,
): Promise<RunningServer> {
  try {
    return await serveHttp({ handler, host: options.host, port: options.port });
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

function errorLine(world: World, error: unknown): string {
  if (world.env["ASSAY_DEBUG"] === "1" && error instanceof Error) return error.stack ?? error.message;
  return error instanceof Error ? error.message : String(error);
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

// assay serve: runs the server until it is stopped.

import { setTimeout } from "node:timers/promises";
import { type RunningServer, serveHttp } from "@assay/adapters-http";
import { isLoopback } from "@assay/adapters-http/internal";
import { Fault } from "@assay/base";
import {
  type DataDirectory,
  openDirectory,
  openServer,
  type Server,
  type ServerSettings,
} from "@assay/server";
import { loadServer, type WhoMayAsk } from "@assay/server/internal";
import type { OpenOptions } from "../../data/open-data.ts";
import { shippedPage } from "../../files/shipped-page.ts";
import { readTrainingFile } from "../../settings/training-file.ts";
import { readUpstreamsFile } from "../../settings/upstreams-file.ts";
import { type CliContext, messageLog, print } from "../../terminal/cli-context.ts";
import { EXIT, Failure } from "../../terminal/failure.ts";
import { serverLog } from "./server-log.ts";

/** The settings of the server that options or the configuration file set unchanged. */
type PassedSettings = Pick<
  ServerSettings,
  "limits" | "metrics" | "origins" | "prices" | "projectBytes" | "publicUrl" | "retention" | "streams"
>;

/** Where to serve, and how. */
export interface ServeOptions extends OpenOptions, PassedSettings {
  readonly host: string;
  readonly port: number;
  /** The file of the upstreams: the engines that answer chats. */
  readonly upstreams?: string | undefined;
  /** The file that configures training. */
  readonly training?: string | undefined;
  /** Whether to log each request to stderr. */
  readonly log?: boolean | undefined;
  /** For how many seconds it keeps answering, while reporting not ready, after it was told to stop. Default 0. */
  readonly drain?: number | undefined;
}

/** Opens the data directory and serves it. Returns the exit code after it was told to stop. */
export async function serveCommand(context: CliContext, options: ServeOptions): Promise<number> {
  const tell = messageLog(context);
  const opening = openDirectory(options.data, { tell, evaluations: options.store });
  const [directory] = await Promise.all([opening, loadServer()]);
  return serveDirectory(
    context,
    directory,
    options,
    (url) => `The page is at ${url}/, the description of the HTTP API at ${url}/docs`,
  );
}

/** Serves an open data directory until the context stops it, and closes it; `example` says where to go first. */
export async function serveDirectory(
  context: CliContext,
  directory: DataDirectory,
  options: ServeOptions,
  example: (url: string) => string,
): Promise<number> {
  const draining = new AbortController();
  const lost = new AbortController();
  const onLost = (error: unknown): void => lost.abort(error);
  const server = await opened(context, directory, options, { draining: draining.signal, onLost });
  try {
    const sentence = whoMayAsk(await server.whoMayAsk(), options);
    const listening = await listen(server.handler, options);
    server.listening(listening.url);
    await print(
      context,
      [
        `Assay answers at ${listening.url} (data in ${directory.where})`,
        sentence,
        example(listening.url),
        "Press Ctrl-C to stop.",
      ].join("\n"),
    );
    try {
      await stopped(AbortSignal.any([context.signal, lost.signal]));
      if (lost.signal.aborted) throw lost.signal.reason;
      // Load balancers see that they should send requests elsewhere, while requests are still answered.
      draining.abort();
      await setTimeout(1000 * (options.drain ?? 0));
    } finally {
      server.endStreams();
      await listening.close();
    }
  } catch (error) {
    // The original error matters, not a failure to clean up afterwards.
    await server.close().catch(() => undefined);
    throw error;
  }
  await server.close();
  return EXIT.ok;
}

/** The server with these options, over the directory, which is closed if the server cannot be opened. */
async function opened(
  context: CliContext,
  directory: DataDirectory,
  options: ServeOptions,
  signals: Pick<ServerSettings, "draining" | "onLost">,
): Promise<Server> {
  const { apiKey, host, origins, streams, projectBytes, metrics } = options;
  const { prices, limits, retention, publicUrl } = options;
  try {
    const log = await serverLog(context, options.log === true);
    const training = await readTrainingFile(context, options.training);
    const upstreams = await readUpstreamsFile(context, options.upstreams);
    return await openServer({
      directory,
      // Without its own key, it only serves this machine until assay keys creates one.
      bootstrapAccess: isLoopback(host),
      env: context.env,
      page: shippedPage(context),
      tell: messageLog(context),
      ...{ apiKey, origins, streams, projectBytes, metrics, prices, limits, retention, publicUrl },
      ...{ training, upstreams },
      ...log,
      ...signals,
    });
  } catch (error) {
    await directory.close();
    throw error;
  }
}

/** Who may send requests, as a sentence. Throws a `Failure` if no one may. */
function whoMayAsk(who: WhoMayAsk, { host }: ServeOptions): string {
  switch (who) {
    case "api key":
      return "It requires the API key or one from assay keys, as Bearer KEY or as Basic with user api.";
    case "this machine":
      return "No API key: any program on this machine has access, other machines do not. Run assay keys create to require one.";
    case "nobody":
      throw new Failure(
        EXIT.usage,
        `without an API key, the server is open to this machine only: run assay keys create or set ASSAY_API_KEY to listen on ${host}, or use --host 127.0.0.1`,
      );
    default:
      return "It requires a key from assay keys, as Bearer KEY or as Basic with user api.";
  }
}

async function listen(
  handler: Parameters<typeof serveHttp>[0]["handler"],
  options: ServeOptions,
): Promise<RunningServer> {
  try {
    return await serveHttp({ handler, host: options.host, port: options.port, ownsProcess: true });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Failure(
      EXIT.failed,
      `${error.message}; choose another port with --port or ASSAY_PORT, or another address with --host`,
      {
        cause: error,
      },
    );
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

// Answers requests over open data until it is closed: the routes of all areas behind one handler. Most of a server's
// code is here and below; `openServer` loads it, and programs that only open data do not.

import type { Deletion } from "@assay/adapters-duckdb";
import { createHandler, metricsRoutes, type RouteGroup } from "@assay/adapters-http";
import {
  backupRoutes,
  type MetricsRoutesOptions,
  memoryBudget,
  OWN_PATHS,
  type RemovalReport,
} from "@assay/adapters-http/internal";
import { Fault } from "@assay/base";
import { everySchema } from "@assay/base/internal";
import { loadEngine } from "@assay/eval-engine/internal";
import { openAreas } from "./areas/areas.ts";
import { servedPage } from "./areas/page.ts";
import { backgroundColumns } from "./data/background-columns.ts";
import { withPrices } from "./data/priced-data.ts";
import type { ServerData, ServerStores } from "./data/server-data.ts";
import { identityRoutes } from "./identity/identity-routes.ts";
import { accessTo } from "./settings/access.ts";
import type { Server, ServerSettings } from "./settings/server-settings.ts";
import type { ServerMetrics } from "./telemetry/metrics.ts";
import { tracedData, tracedRequest } from "./telemetry/tracing.ts";
import { DEFAULT_TRAINING } from "./training/config.ts";

/**
 * The limit of bytes in request bodies, what is built from them, lines being imported and open streams, over all areas
 * and keys. It is half of what a server with 1 GiB may grow by, because the counts are estimates.
 */
const MEMORY = 384 * 2 ** 20;

/** Answers requests over open data until it is closed. Closing it leaves the data open. */
type Answering = Omit<Server, "data">;

interface AnsweringParts {
  readonly options: ServerSettings;
  readonly metrics: ServerMetrics | undefined;
  readonly data: ServerData;
  readonly folder: string;
  readonly secret: string;
  /** When the server started, in milliseconds since 1970. */
  readonly since: number;
  readonly remove: ((deletion: Deletion) => Promise<RemovalReport>) | undefined;
  readonly erase: (() => Promise<void>) | undefined;
  readonly tell: (message: string) => void;
}

/**
 * Loads code that the first request that needs it would otherwise load, which would delay that request by tens of
 * milliseconds.
 */
export async function loadAnswers(): Promise<void> {
  await loadEngine();
  // Creating one loads the library of all schemas.
  everySchema()[0]?.make();
}

/** Opens all areas over the data. */
export async function openAnswering(parts: AnsweringParts): Promise<Answering> {
  const { options, metrics, data, folder, secret, since, remove, erase, tell } = parts;
  const { onError = () => {}, onAnswer, draining, prices, limits, publicUrl, projectBytes } = options;
  const keys = await data.stores.openKeys();
  const { authenticate, keyless, whoMayAsk } = accessTo(keys, options);
  const memory = memoryBudget(MEMORY);
  const closing = new AbortController();
  const ahead = backgroundColumns({ data, signal: closing.signal, onError });
  const page = options.page === false ? undefined : options.page;
  const areas = await openAreas(
    {
      data: tracedData(withPrices({ ...data, importLines: ahead.importLines }, prices, data.traces.costs)),
      folder,
      keys,
      upstreams: options.upstreams ?? [],
      training: options.training ?? DEFAULT_TRAINING,
      env: options.env ?? process.env,
      since,
      closing: closing.signal,
      ...{
        authenticate,
        keyless,
        memory,
        remove,
        erase,
        prices,
        limits,
        publicUrl,
        projectBytes,
        page,
        tell,
        onError,
      },
      onUsage: metrics?.used,
    },
    options.areas,
  );
  const groups = [
    ...areas.flatMap((area) => area.routes),
    identityRoutes(secret),
    backupRoutes({ backup: data.stores.backup?.bind(data.stores), authenticate, onError }),
    ...(metrics === undefined ? [] : [metricsRoutesOver(metrics, data.stores, { authenticate, onError })]),
    ...(options.page === false ? [] : servedPage(page, tell)),
  ];
  const routes = groups.flatMap((group) =>
    group.routes.map(({ method, pattern: path }) => ({ method, path })),
  );
  return {
    routes: [...routes, ...OWN_PATHS.map((path) => ({ method: "GET", path }))],
    handler: createHandler({
      routes: groups,
      onError,
      authenticate,
      keyless,
      async ready() {
        if (draining?.aborted) throw new Fault("unavailable", "the server is shutting down");
        await data.stores.check?.();
      },
      origins: options.origins ?? [],
      secrets: options.apiKey === undefined ? [] : [options.apiKey],
      streams: { authenticate, memory, maxOfKey: options.streams, onCount: metrics?.streams },
      around: tracedRequest,
      ...(onAnswer !== undefined && { onAnswer }),
    }),
    listening(url) {
      data.announce?.(url, secret);
      for (const area of areas) area.started?.(url);
      ahead.start();
      setTimeout(() => loadAnswers().catch(onError), 0).unref();
    },
    whoMayAsk,
    endStreams: () => closing.abort(),
    async close() {
      closing.abort();
      await ahead.ended();
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

function metricsRoutesOver(
  metrics: ServerMetrics,
  stores: ServerStores,
  asking: Pick<MetricsRoutesOptions, "authenticate" | "onError">,
): RouteGroup {
  const { contentType } = metrics;
  return metricsRoutes({ metrics: () => metrics.text(stores), contentType, ...asking });
}

// Area B: training. Jobs, checkpoints and their files are in the data directory; trainers run as long as the server
// does.

import { join } from "node:path";
import {
  fineTuningRoutes,
  type Operations,
  type RouteGroup,
  routesOf,
  trainingRoutes,
} from "@assay/adapters-http";
import { workerGateway } from "@assay/adapters-worker";
import type { Json } from "@assay/base";
import { nextTurn } from "@assay/base/internal";
import type { TraceStores } from "@assay/trace-core";
import { readWeaveRef, resolveRefs } from "@assay/trace-core/internal";
import { type TrackingService, type TrackingStore, trackingService } from "@assay/tracking-core";
import { artifactTrainingData, trackedTraining } from "@assay/tracking-core/internal";
import {
  cachingStore,
  type TrainingService,
  type TrainingStore,
  trainingService,
  uploadedData,
} from "@assay/training-core";
import { firstTrainingData } from "@assay/training-core/internal";
import { fileData } from "../training/file-data.ts";
import { httpsData } from "../training/https-data.ts";
import { randomIds, systemClock } from "../training/system-clock.ts";
import { namesOf, openTrainers, type Trainers, trains } from "../training/trainers.ts";
import type { Area, ServerContext } from "./area.ts";

/** The open training area. */
export interface TrainingArea extends Area {
  /** Its service. Its store resolves the names of trained models, and its artifacts hold their checkpoints. */
  readonly training: TrainingService;
  /** Runs and artifacts, which include those of training jobs and checkpoints. */
  readonly tracking: TrackingService;
}

/** How long unused files are kept, such as uploads whose jobs have not been submitted: a week. */
const KEEP_UNUSED_MS = 7 * 24 * 3_600_000;

/** Opens the area. */
export async function openTraining(context: ServerContext): Promise<TrainingArea> {
  const { data, folder, training: config, authenticate, memory, env, closing, tell, onError } = context;
  const { artifacts, tracking: tracked } = data.stores;
  const unused = systemClock.now() - KEEP_UNUSED_MS;
  // Only cleanup: a full or failing disk must not prevent stored data from being read.
  await tracked.forgetUnfinished(unused).catch(onError);
  const jobs = withUsesOf(cachingStore(data.stores.training), tracked);
  // Runs before any job can start to use a file that is about to be swept.
  await artifacts.sweep?.(jobs.usesBlob, unused).catch(onError);
  const tracking = trackingService({
    store: tracked,
    artifacts,
    training: { store: jobs, importCheckpoint: (checkpoint) => trained.importCheckpoint(checkpoint) },
    now: systemClock.now,
    newId: randomIds.next,
    projectBytes: context.projectBytes,
  });
  const trained = trainingService({
    store: jobs,
    artifacts,
    data: firstTrainingData(
      uploadedData(artifacts),
      artifactTrainingData(tracking),
      fileData(config.folders),
      httpsData(config),
    ),
    clock: systemClock,
    ids: randomIds,
    pause: nextTurn,
    policy: {
      servesBaseModel: (name) => trains(config.trainers, name),
      baseModels: namesOf(config.trainers),
    },
  });
  const service = trackedTraining(trained, tracking);
  const gateway = workerGateway(artifacts, onError);
  const stop = new AbortController();
  let trainers: Trainers | undefined;
  let running: Promise<void> | undefined;
  const checks = {
    artifacts: async () => artifacts.check?.(),
    trainers: async () => (await trainers?.check()) ?? ["the trainers have not started yet"],
  };

  return {
    training: service,
    tracking,
    routes: [
      trainingRoutes({
        training: service,
        aliases: tracking,
        evaluations: { entries: context.data.entries, resolve: resolvedIn(context.data.traces) },
        authenticate,
        memory,
        onError,
        checks,
        closing,
      }),
      fineTuningRoutes({ training: service, authenticate, memory, onError }),
      gatewayRoutes(gateway.fetch),
    ],
    started(url) {
      const parts = { training: service, gateway, url, folder: join(folder, "training"), env, onError };
      trainers = openTrainers(config.trainers, parts);
      running = trainers.run(stop.signal);
      running.catch(onError);
      // Reported once at the start, before a job fails because of it.
      void trainers.check().then((wrong) => {
        for (const sentence of stop.signal.aborted ? [] : wrong) tell(sentence);
      });
    },
    async close() {
      stop.abort();
      await running;
    },
  };
}

/** Resolves references to objects that Weave clients published. Invalid references resolve to null. */
function resolvedIn(traces: TraceStores) {
  return async (refs: readonly string[], allowed: (project: string) => boolean): Promise<readonly Json[]> => {
    const read = refs.map(readWeaveRef);
    const values = await resolveRefs(
      traces,
      read.filter((ref) => ref !== undefined),
      { allowed, pause: nextTurn },
    );
    let next = 0;
    return read.map((ref) => (ref === undefined ? null : (values[next++] ?? null)));
  };
}

/** The training store, which also counts bytes that artifacts use: both keep their files in the same place. */
function withUsesOf(store: TrainingStore, tracked: TrackingStore): TrainingStore {
  const usesBlob = async (sha256: string) => (await store.usesBlob(sha256)) || tracked.usesBlob(sha256);
  return { ...store, usesBlob };
}

const OPERATIONS: Operations = {
  gateway: {
    method: "ALL",
    path: "/runs/{rest}",
    pattern: "/runs/*",
    unlisted: "only workers that this server started use it, under a secret address",
    summary: "Serve workers what they need for their tasks.",
    key: "none",
    verbs: [],
  },
};

/** Serves remote workers their tasks. Anyone who knows the secret in the path is permitted. */
function gatewayRoutes(fetch: (request: Request) => Promise<Response>): RouteGroup {
  return { routes: routesOf(OPERATIONS, { gateway: ({ request }) => fetch(request) }) };
}

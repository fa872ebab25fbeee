// Area B: training. Jobs, checkpoints and their files are in the data directory; trainers run while the server does.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileArtifacts, trackingStore, trainingStore } from "@assay/adapters-duckdb";
import { type Face, fineTuningFace, trainingFace } from "@assay/adapters-http";
import { workerGateway } from "@assay/adapters-worker";
import {
  artifactTrainingData,
  type TrackingService,
  type TrackingStore,
  trackedTraining,
  trackingService,
} from "@assay/tracking-core";
import {
  firstTrainingData,
  rememberingStore,
  type TrainingService,
  type TrainingStore,
  trainingService,
  uploadedData,
} from "@assay/training-core";
import { Hono } from "hono";
import { EXIT, Failure } from "../failure.ts";
import { randomIds, systemClock } from "../system.ts";
import { say } from "../world.ts";
import type { Area, ServerContext } from "./area.ts";
import { DEFAULT_TRAINING, readTrainingConfig, type TrainingConfig } from "./training/config.ts";
import { fileData } from "./training/file-data.ts";
import { httpsData } from "./training/https-data.ts";
import { namesOf, openTrainers, type Trainers, trains } from "./training/trainers.ts";

/** The area of training while it is open. */
export interface TrainingArea extends Area {
  /** Its service: the store that names of trained models are resolved with, and the artifacts of their checkpoints. */
  readonly training: TrainingService;
  /** Runs and artifacts, which its models and checkpoints have a part in. */
  readonly tracking: TrackingService;
}

/** How long files that nothing needs are kept: uploads wait there for their jobs. A week. */
const KEEP_UNUSED_MS = 7 * 24 * 3_600_000;

/** Opens the area. Throws a `Failure` when the configuration of training makes no sense. */
export async function openTraining(context: ServerContext): Promise<TrainingArea> {
  const { store, directory, authenticate, memory, onError, world } = context;
  const config = await configOf(context);
  const artifacts = fileArtifacts(join(directory, "artifacts"));
  const unused = systemClock.now() - KEEP_UNUSED_MS;
  const tracked = trackingStore(store.database);
  await tracked.forgetUnfinished(unused);
  const jobs = withUsesOf(rememberingStore(trainingStore(store.database)), tracked);
  // Before anything can come to need a file that is looked at.
  await artifacts.sweep(jobs.usesBlob, unused);
  const tracking = trackingService({
    store: tracked,
    artifacts,
    training: { store: jobs, importCheckpoint: (checkpoint) => trained.importCheckpoint(checkpoint) },
    now: systemClock.now,
    newId: randomIds.next,
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
    artifacts: () => artifacts.check(),
    trainers: async () => (await trainers?.check()) ?? ["the trainers have not started yet"],
  };

  return {
    training: service,
    tracking,
    faces: [
      trainingFace({
        training: service,
        aliases: tracking,
        authenticate,
        memory,
        onError,
        checks,
        closing: world.signal,
      }),
      fineTuningFace({ training: service, authenticate, memory, onError }),
      gatewayFace(gateway.fetch),
    ],
    started(url) {
      const folder = join(directory, "training");
      const parts = { training: service, gateway, url, folder, env: world.env, onError };
      trainers = openTrainers(config.trainers, parts);
      running = trainers.run(stop.signal);
      running.catch(onError);
      // Said once, when it can still be mended before somebody's job fails for it.
      void trainers.check().then((wrong) => {
        for (const sentence of stop.signal.aborted ? [] : wrong) say(world, `assay: ${sentence}`);
      });
    },
    async close() {
      stop.abort();
      await running;
    },
  };
}

/** The store, whose bytes are in use when those of artifacts are: both keep theirs in one place. */
function withUsesOf(store: TrainingStore, tracked: TrackingStore): TrainingStore {
  const usesBlob = async (sha256: string) => (await store.usesBlob(sha256)) || tracked.usesBlob(sha256);
  return { ...store, usesBlob };
}

/** Where workers that this server has started elsewhere find their tasks. Who knows the secret in the path may. */
function gatewayFace(fetch: (request: Request) => Promise<Response>): Face {
  const app = new Hono();
  app.all("/runs/*", (context) => fetch(context.req.raw));
  return { app, verbs: { "ALL /runs/*": [] } };
}

async function configOf({ world, trainingFile }: ServerContext): Promise<TrainingConfig> {
  if (trainingFile === undefined) return DEFAULT_TRAINING;
  const config = readTrainingConfig(await readFile(trainingFile, "utf8"), world.env);
  if (config.ok) return config.value;
  const [first, ...others] = config.issues.map(({ path, message }) =>
    [path.join("."), message].filter(Boolean).join(": "),
  );
  for (const other of others) say(world, `assay: ${trainingFile}: ${other}`);
  throw new Failure(EXIT.usage, `${trainingFile}: ${first}`);
}

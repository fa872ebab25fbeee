// The trainers in a server's configuration, and the runners for the jobs of each.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rayTrainer } from "@assay/adapters-ray";
import { tinyTrainer } from "@assay/adapters-tiny";
import { processTrainer, type WorkerGateway } from "@assay/adapters-worker";
import { Fault } from "@assay/base";
import { nextTurn, plainFileName } from "@assay/base/internal";
import { baseModel } from "@assay/model-tiny";
import type { Trainer, TrainingService } from "@assay/training-core";
import type { RunJobsOptions } from "@assay/training-core/internal";
import { tracedTrainer } from "../telemetry/tracing.ts";
import { matches, type TrainerConfig } from "./config.ts";

/** The dependencies of trainers. */
export interface TrainerParts {
  readonly training: TrainingService;
  readonly gateway: WorkerGateway;
  /** The address of this server. */
  readonly url: string;
  /** The folder for logs and working folders of workers. */
  readonly folder: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly onError: (error: unknown) => void;
}

/** Whether one of these trainers accepts the base model. */
export function trains(configs: readonly TrainerConfig[], name: string): boolean {
  return configs.some((config) => accepts(config, name));
}

/** The base models that these trainers accept, without duplicates; patterns as configured. */
export function namesOf(configs: readonly TrainerConfig[]): readonly string[] {
  return [...new Set(configs.flatMap((config) => (config.type === "tiny" ? [TINY] : config.baseModels)))];
}

const TINY = "assay/tiny";

/** The trainers of a server. */
export interface Trainers {
  /** Trains jobs until `signal` is aborted, then stops the trainers, returns their jobs to the queue and resolves. */
  run(signal: AbortSignal): Promise<void>;
  /** A sentence for each trainer that could not work now, with its name. */
  check(): Promise<readonly string[]>;
}

/** The configured trainers. Remote workers are not among them; they connect by themselves. */
export function openTrainers(configs: readonly TrainerConfig[], parts: TrainerParts): Trainers {
  const { training, onError } = parts;
  const trainers = configs.flatMap((config, at) =>
    config.type === "worker" ? [] : [{ config, at, trainer: trainerOf(config, parts) }],
  );
  const runners = trainers.map(
    ({ config, at, trainer }): RunJobsOptions => ({
      // The first one that accepts a base model trains it.
      trainer: tracedTrainer({
        accepts: (work) => !trains(configs.slice(0, at), work.baseModel) && trainer.accepts(work),
        train: (task, stop) => trainer.train(task, stop),
      }),
      worker: `local-${at + 1}`,
      slots: config.atOnce,
      onError,
    }),
  );
  // Jobs of remote workers need a runner too.
  if (runners.length === 0) runners.push({ trainer: NO_TRAINER, onError });
  return {
    async run(signal) {
      await Promise.all(runners.map((options) => training.runJobs(options, signal)));
    },
    async check() {
      const found = trainers.map(async ({ config, at, trainer }) => {
        try {
          await trainer.check?.();
          return [];
        } catch (error) {
          const reason = error instanceof Fault ? error.message : "it does not answer";
          return [`trainer ${at + 1} (${config.type}): ${reason}`];
        }
      });
      return (await Promise.all(found)).flat();
    },
  };
}

function accepts(config: TrainerConfig, name: string): boolean {
  return config.type === "tiny" ? baseModel(name) !== undefined : matches(config.baseModels, name);
}

function trainerOf(config: Exclude<TrainerConfig, { type: "worker" }>, parts: TrainerParts): Trainer {
  const { training, gateway, folder, env, onError } = parts;
  const { artifacts, clock } = training;
  if (config.type === "tiny") return tinyTrainer({ artifacts, pause: nextTurn });
  const common = { accepts: ({ baseModel: name }: { baseModel: string }) => accepts(config, name), clock };
  if (config.type === "process") {
    const { command } = config;
    return processTrainer({ ...common, command, env: { ...env, ...config.env }, artifacts, folder });
  }
  const { address, token, entrypoint, runtimeEnv, resources, gatewayUrl = parts.url } = config;
  return rayTrainer({
    ...common,
    address,
    token,
    entrypoint,
    runtimeEnv,
    resources,
    gateway,
    gatewayUrl,
    onError,
    async onLog({ job_id, attempt }, log) {
      await mkdir(join(folder, "logs"), { recursive: true });
      await writeFile(join(folder, "logs", plainFileName(`${job_id}-${attempt}.log`)), log);
    },
  });
}

/** Accepts nothing. */
const NO_TRAINER: Trainer = {
  accepts: () => false,
  async *train() {},
};

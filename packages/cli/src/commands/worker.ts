// assay worker: trains another server's jobs on this machine.

import { hostname } from "node:os";
import { setImmediate } from "node:timers/promises";
import { tinyTrainer } from "@assay/adapters-tiny";
import { processTrainer, runWorker, workerClient } from "@assay/adapters-worker";
import { Fault } from "@assay/base";
import { systemClock } from "@assay/server/internal";
import { EXIT } from "../failure.ts";
import { type ServerOptions, serverAddress } from "../server-address.ts";
import { say, type World } from "../world.ts";

/** What a worker does. */
export interface WorkerOptions extends ServerOptions {
  /** What it is called in logs; the machine's name and the process's number when absent. */
  readonly name: string | undefined;
  /** Which base models it trains. */
  readonly baseModels: readonly string[];
  /** Ends after this many jobs; never when absent. */
  readonly jobs: number | undefined;
  /** Where jobs are worked on and their logs are kept. */
  readonly folder: string;
  /** What is started for each job; the tiny trainer in this process when it is empty. */
  readonly command: readonly string[];
}

/** Works until it is told to stop or has done as many jobs as it should. Gives the exit code. */
export async function workerCommand(world: World, options: WorkerOptions): Promise<number> {
  const server = await serverAddress(options);
  const [program, ...rest] = options.command;
  say(world, `working for ${server}`);
  await runWorker(
    {
      client: workerClient({ server, key: options.apiKey }),
      worker: options.name ?? `${hostname()}-${process.pid}`,
      baseModels: options.baseModels,
      trainer: (artifacts) =>
        program === undefined
          ? tinyTrainer({ artifacts, pause: () => setImmediate() })
          : processTrainer({
              command: [program, ...rest],
              env: world.env,
              artifacts,
              folder: options.folder,
              clock: systemClock,
            }),
      clock: systemClock,
      jobs: options.jobs,
      onTask: ({ job_id, attempt, model }) =>
        say(world, `job ${job_id} of ${model.entity}/${model.project}/${model.name}, attempt ${attempt}`),
      onError: (error) => say(world, `assay: ${reasonOf(error)}; trying again`),
    },
    world.signal,
  );
  return EXIT.ok;
}

function reasonOf(error: unknown): string {
  return error instanceof Fault ? error.message : String(error);
}

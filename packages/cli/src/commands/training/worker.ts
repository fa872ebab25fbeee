// assay worker: trains another server's jobs on this machine.

import { hostname } from "node:os";
import { setImmediate } from "node:timers/promises";
import { tinyTrainer } from "@assay/adapters-tiny";
import { processTrainer, runWorker, workerClient } from "@assay/adapters-worker";
import { Fault } from "@assay/base";
import { systemClock } from "@assay/server/internal";
import { type ServerOptions, serverAddress } from "../../clients/server-address.ts";
import { type CliContext, log } from "../../terminal/cli-context.ts";
import { EXIT } from "../../terminal/failure.ts";

/** Options of a worker. */
export interface WorkerOptions extends ServerOptions {
  /** Its name in logs; default: the machine's name and the process ID. */
  readonly name?: string | undefined;
  /** The base models that it trains. */
  readonly baseModels: readonly string[];
  /** After how many jobs it ends; absent: never. */
  readonly jobs?: number | undefined;
  /** The working folder for jobs and their logs. */
  readonly folder: string;
  /** The command to start for each job; empty for the tiny trainer in this process. */
  readonly command: readonly string[];
}

/** Works until it is told to stop or has done the given number of jobs. Returns the exit code. */
export async function workerCommand(context: CliContext, options: WorkerOptions): Promise<number> {
  const server = await serverAddress(options);
  const [program, ...rest] = options.command;
  log(context, `working for ${server}`);
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
              env: context.env,
              artifacts,
              folder: options.folder,
              clock: systemClock,
            }),
      clock: systemClock,
      jobs: options.jobs,
      onTask: ({ job_id, attempt, model }) =>
        log(context, `job ${job_id} of ${model.entity}/${model.project}/${model.name}, attempt ${attempt}`),
      onError: (error) => log(context, `assay: ${reasonOf(error)}; trying again`),
    },
    context.signal,
  );
  return EXIT.ok;
}

function reasonOf(error: unknown): string {
  return error instanceof Fault ? error.message : String(error);
}

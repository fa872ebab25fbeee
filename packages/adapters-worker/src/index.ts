/**
 * Training by a command: a `Trainer` that starts a child process, and workers on other machines that take jobs over HTTP.
 *
 * @packageDocumentation
 */
export { type ProcessTrainerOptions, processTrainer } from "./process-trainer.ts";
export { type WorkOptions, work } from "./work.ts";
export type { JobFiles } from "./work-folder.ts";
export {
  type Claimed,
  type Wish,
  type WorkerClient,
  type WorkerClientOptions,
  workerClient,
} from "./worker-client.ts";
export { type GatewayRun, type WorkerGateway, workerGateway } from "./worker-gateway.ts";

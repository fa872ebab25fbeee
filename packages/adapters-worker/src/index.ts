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

/**
 * Training with a command: a `Trainer` that starts a child process, and remote workers that take jobs over HTTP.
 *
 * @packageDocumentation
 */
export { type ProcessTrainerOptions, processTrainer } from "./process-trainer.ts";
export { runWorker, type WorkOptions } from "./work.ts";
export { type WorkerClient, type WorkerClientOptions, workerClient } from "./worker-client.ts";
export { type WorkerGateway, workerGateway } from "./worker-gateway.ts";

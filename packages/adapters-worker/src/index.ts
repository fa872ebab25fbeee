/**
 * Training by a command: a `Trainer` that starts a child process, and workers on other machines that take jobs over HTTP.
 *
 * @packageDocumentation
 */
export { type ProcessTrainerOptions, processTrainer } from "./process-trainer.ts";
export { runWorker, type WorkOptions } from "./work.ts";
export { type WorkerClient, type WorkerClientOptions, workerClient } from "./worker-client.ts";
export { type WorkerGateway, workerGateway } from "./worker-gateway.ts";

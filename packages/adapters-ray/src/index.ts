/**
 * A `Trainer` that runs each training job as a job of a Ray cluster.
 *
 * @packageDocumentation
 */
export { type Gateway, type GatewayRun, type RayTrainerOptions, rayTrainer } from "./ray-trainer.ts";

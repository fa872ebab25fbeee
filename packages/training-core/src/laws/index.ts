/**
 * The laws of the ports of `@assay/training-core`: what every implementation must do, as data that any test runner can
 * run.
 *
 * @packageDocumentation
 */
export { artifactStoreLaws } from "./artifact-store.ts";
export { type TrainerBench, trainerLaws } from "./trainer.ts";
export { trainingStoreLaws } from "./training-store.ts";

/**
 * The laws of the ports of `@assay/training-core`: what every implementation must do, as data for any test runner.
 *
 * @packageDocumentation
 */
export { artifactStoreLaws } from "./artifact-store.ts";
export { type TrainerBench, trainerLaws } from "./trainer.ts";
export { trainingStoreLaws } from "./training-store.ts";

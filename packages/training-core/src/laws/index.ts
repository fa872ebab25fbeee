export { artifactStoreLaws } from "./artifact-store.ts";
export { type TrainerBench, trainerLaws } from "./trainer.ts";
export { trainingStoreLaws } from "./training-store.ts";

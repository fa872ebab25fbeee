export type { ArtifactStore, Blob } from "./ports/artifact-store.ts";
export type { Clock } from "./ports/clock.ts";
export type { Ids } from "./ports/ids.ts";
export type { Trainer, TrainingKind, TrainingTask } from "./ports/trainer.ts";
export type { TrainingData } from "./ports/training-data.ts";
export {
  type ArtifactFile,
  type Metrics,
  readWorkerMessage,
  type WorkerMessage,
} from "./ports/worker-message.ts";
export type { SftRow } from "./sft-row.ts";
export type { RlSpec, SftSpec, TrainingConfig, TrainingSpec } from "./training-spec.ts";
export {
  type Choice,
  type History,
  isChoice,
  type Message,
  type TokenLogprob,
  type Trajectory,
  type TrajectoryGroup,
} from "./trajectory.ts";

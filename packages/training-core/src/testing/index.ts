/**
 * What stands in for the outside in tests of whatever uses training: stores in memory, a trainer that says what it is
 * told to say, a clock that is set by hand, ids that are counted.
 *
 * @packageDocumentation
 */
export { applyEvent, foldEvents } from "../job/fold.ts";
export { countingIds } from "./counting-ids.ts";
export { memoryArtifactStore } from "./memory-artifact-store.ts";
export { memoryTrainingData } from "./memory-training-data.ts";
export { memoryTrainingStore } from "./memory-training-store.ts";
export { scriptedTrainer, type TrainerScript } from "./scripted-trainer.ts";
export { type SimulatedClock, simulatedClock } from "./simulated-clock.ts";

/**
 * Fakes for tests of code that uses training: stores in memory, a scripted trainer, a clock that is set by hand, and
 * sequential IDs.
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

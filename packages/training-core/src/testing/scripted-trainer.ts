// A trainer that follows a script. For tests and simulations.

import type { WorkerMessage } from "../job/worker-message.ts";
import type { Trainer, TrainingTask } from "../ports/trainer.ts";

/** The behaviour of a scripted trainer for a task. It may wait, throw, or never return. */
export type TrainerScript = (
  task: TrainingTask,
  signal: AbortSignal,
) => AsyncIterable<WorkerMessage> | Iterable<WorkerMessage>;

/** A `Trainer` that accepts everything and sends the messages of `script` until it is aborted. */
export function scriptedTrainer(script: TrainerScript): Trainer {
  return {
    accepts: () => true,
    async *train(task, signal) {
      for await (const message of script(task, signal)) {
        if (signal.aborted) return;
        yield message;
      }
    },
  };
}

// The laws of a trainer.

import type { Law, Open } from "@assay/base";
import { expectThat, lawsFor } from "@assay/base/internal";
import { readWorkerMessage, type WorkerMessage } from "../job/worker-message.ts";
import type { ArtifactStore } from "../ports/artifact-store.ts";
import type { Trainer, TrainingTask } from "../ports/trainer.ts";

/** A trainer with everything needed to test it. */
export interface TrainerBench {
  /** The trainer to check. */
  readonly trainer: Trainer;
  /** Where it stores its files. */
  readonly artifacts: ArtifactStore;
  /** A task that it can do, with at least two steps. */
  readonly task: TrainingTask;
}

/** The laws of a `Trainer`. `open` creates a new bench each time. */
export function trainerLaws(open: Open<TrainerBench>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("accepts its task's kind and base model", async ({ trainer, task }) => {
      expectThat(
        trainer.accepts({ kind: task.spec.kind, baseModel: task.model.base_model }),
        "the task is accepted",
      );
    }),

    law("reports started, every step once in order, and done, in valid messages", async (bench) => {
      const messages = await allOf(bench, bench.task, new AbortController().signal);
      for (const message of messages)
        expectThat(readWorkerMessage(message).ok, `${message.type} can be read`);
      const [first, ...rest] = messages.filter(({ type }) => type !== "heartbeat" && type !== "warning");
      if (first?.type !== "started") throw new Error(`the first message is started, not ${first?.type}`);
      const steps = rest
        .slice(0, -1)
        .map((message) => (message.type === "step" ? message.step : message.type));
      const expected = Array.from({ length: first.num_sequences }, (_, i) => i + 1);
      expectThat(String(steps) === String(expected), `steps are ${expected}, not ${steps}`);
      expectThat(rest.at(-1)?.type === "done", `the last message is done, not ${rest.at(-1)?.type}`);
    }),

    law("stores the files that it names in the artifact store", async (bench) => {
      const messages = await allOf(bench, bench.task, new AbortController().signal);
      const done = messages.find((message) => message.type === "done");
      const files = done?.files ?? [];
      expectThat(files.length > 0, "there are files");
      for (const { name, sha256, size } of files)
        expectThat((await bench.artifacts.find(sha256))?.size === size, `the file ${name} is there`);
    }),

    law(
      "if it announced that it can resume, a second run repeats the steps or continues after them",
      async (bench) => {
        const first = await allOf(bench, bench.task, new AbortController().signal);
        const started = first.find((message) => message.type === "started");
        if (started?.resumable !== true) return;
        const again = { ...bench.task, attempt: 2, steps_reported: 1 };
        const second = await allOf(bench, again, new AbortController().signal);
        const count = second.find((message) => message.type === "started")?.num_sequences;
        expectThat(
          count === started.num_sequences,
          `as many steps as before: ${started.num_sequences}, not ${count}`,
        );
        const firstStep = second.find((message) => message.type === "step")?.step;
        expectThat(
          firstStep !== undefined && firstStep <= 2,
          `it goes on with step 1 or 2, not ${firstStep}`,
        );
      },
    ),

    law("stops when aborted, without reporting done", async (bench) => {
      const stop = new AbortController();
      const messages: WorkerMessage[] = [];
      for await (const message of bench.trainer.train(bench.task, stop.signal)) {
        messages.push(message);
        stop.abort();
      }
      expectThat(!messages.some(({ type }) => type === "done"), "it is not done");
    }),
  ];
}

async function allOf({ trainer }: TrainerBench, task: TrainingTask, signal: AbortSignal) {
  const messages: WorkerMessage[] = [];
  for await (const message of trainer.train(task, signal)) messages.push(message);
  return messages;
}

// The tests run this as a separate process: it concurrently adds steps to jobs of three models, with an artifact for
// each, until it is killed. It prints each acknowledged step as `<job> <version> <artifact>`.

import type { Job } from "@assay/training-core";
import type { JobFact } from "@assay/training-core/internal";
import { applyEvent } from "@assay/training-core/testing";
import { openStore } from "../../src/index.ts";

const directory = process.argv[2]!;
const open = await openStore({ directory });
const { training: store, artifacts } = open;
process.stdout.write("open\n");

async function write(model: number): Promise<void> {
  const id = `job-${model}`;
  let job: Job | undefined = await store.job(id);
  for (;;) {
    const seq: number = (job?.version ?? 0) + 1;
    const blob = await artifacts.write([new TextEncoder().encode(`${id} ${seq} ${"x".repeat(10_000)}`)]);
    const event = { ...factAt(seq, `model-${model}`), id: `${id}-${seq}`, jobId: id, seq, at: seq };
    job = applyEvent(job, event);
    if (!(await store.commit({ at: 0, jobs: [{ job, events: [event] }] })))
      throw new Error("another process wrote");
    process.stdout.write(`${id} ${seq} ${blob.sha256}\n`);
  }
}

function factAt(seq: number, modelId: string): JobFact {
  if (seq === 1) {
    const data = {
      modelId,
      number: 1,
      kind: "rl",
      size: 1,
      trainable: 1,
      skipped: [],
      maxAttempts: 3,
    } as const;
    return { type: "submitted", data };
  }
  if (seq === 2)
    return { type: "claimed", data: { worker: "w", attempt: 1, parent: { step: 0, files: [] } } };
  if (seq === 3) return { type: "training_started", data: { num_sequences: 1e9, resumable: true } };
  return { type: "gradient_step", data: { loss: 1 / seq, "text/x": seq } };
}

await Promise.all([1, 2, 3].map(write));
// Never reached, but keeps the store referenced so that it is not closed.
await open.close();

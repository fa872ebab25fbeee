// Commits checkpoints: a trained job gets its checkpoint. The checkpoint, the model's head and the end of the job are
// one write.

import { inTurns, untilWritten } from "@assay/base/internal";
import type { Job } from "../job/job.ts";
import { logMetricsSteps } from "../job/log-metrics.ts";
import { transition } from "../job/transition.ts";
import type { Metrics } from "../job/worker-message.ts";
import type { Checkpoint } from "../model/checkpoint.ts";
import { advance, command, modelOf, write } from "../state/change-job.ts";
import type { TrainingContext } from "../state/context.ts";

/**
 * Gives a finalizing job its checkpoint, or fails it if its files are missing; does not change any other job. Resolves
 * to the job afterwards. It may be called at any time, any number of times.
 */
export async function commitCheckpoint(training: TrainingContext, jobId: string): Promise<Job> {
  const job = await jobWithId(training, jobId);
  if (job.state !== "finalizing") return job;
  const files = job.trained?.files ?? [];
  for (const { name, sha256, size } of files) {
    const found = await training.artifacts.find(sha256);
    if (found?.size === size) continue;
    const message = `the file ${name} of the checkpoint is not in the artifact store`;
    await command(training, jobId, { type: "give_up", code: "files_missing", message });
    return jobWithId(training, jobId);
  }
  const metrics = await checkpointMetrics(training, job);
  return untilWritten(async () => {
    const before = await jobWithId(training, jobId);
    const model = await modelOf(training, before);
    const step = model.headStep + 1;
    const checkpointId = training.ids.next();
    const { verdict, facts } = transition(before, { type: "commit", checkpointId, step });
    if (verdict !== "applied") return before;
    const checkpoint: Checkpoint = {
      id: checkpointId,
      modelId: model.id,
      step,
      parentStep: before.parent?.step ?? 0,
      jobId,
      // Nothing was trained: the checkpoint is its parent under the next number.
      files: files.length > 0 ? files : (before.parent?.files ?? []),
      metrics,
      createdAt: Math.max(training.clock.now(), before.updatedAt),
    };
    const after = advance(training, before, model, facts);
    const written = await write(training, {
      model: { ...(after.model ?? model), headStep: step },
      jobs: [{ job: after.job, events: after.events }],
      checkpoints: [checkpoint],
    });
    return written ? after.job : undefined;
  });
}

async function jobWithId(training: TrainingContext, jobId: string): Promise<Job> {
  const job = await training.store.job(jobId);
  if (job === undefined) throw new Error(`job ${jobId} is gone`);
  return job;
}

/**
 * The metrics of a new checkpoint: the mean of each metric over the steps that reported it and, for RL, the statistics
 * of the trajectories, both as `train/<name>`. Metrics that the trainer reports itself take precedence.
 */
async function checkpointMetrics(training: TrainingContext, job: Job): Promise<Metrics> {
  const spec = await training.store.spec(job.id);
  const sampled =
    spec?.kind === "rl"
      ? await inTurns(logMetricsSteps("train", spec.trajectory_groups), training.pause)
      : {};
  const sums = new Map<string, { sum: number; count: number }>();
  for (let afterSeq = 0; ; ) {
    const page = await training.store.events(job.id, { afterSeq, types: ["gradient_step"], limit: 1000 });
    for (const { data } of page) {
      for (const [name, value] of Object.entries(data as Metrics)) {
        const total = sums.get(name) ?? { sum: 0, count: 0 };
        sums.set(name, { sum: total.sum + value, count: total.count + 1 });
      }
    }
    const last = page.at(-1);
    if (last === undefined) break;
    afterSeq = last.seq;
  }
  const means = [...sums].map(([name, { sum, count }]) => [qualified(name), sum / count] as const);
  const finite = means.filter(([, mean]) => Number.isFinite(mean));
  return { ...sampled, ...Object.fromEntries(finite), ...job.trained?.metrics };
}

function qualified(name: string): string {
  return name.includes("/") ? name : `train/${name}`;
}

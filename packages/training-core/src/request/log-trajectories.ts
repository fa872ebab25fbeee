// Logs trajectories: their statistics become metrics of the model's newest checkpoint.

import { ok, type Result, type Steps } from "@assay/base";
import { lazySchemas, untilWritten } from "@assay/base/internal";
import { type } from "arktype";
import { logMetricsSteps } from "../job/log-metrics.ts";
import type { Metrics } from "../job/worker-message.ts";
import { write } from "../state/change-job.ts";
import type { TrainingContext } from "../state/context.ts";
import { readTyped } from "./parse/issues.ts";
import { readGroups } from "./parse/read-groups.ts";

/** Trajectories that were counted, and are not trained on. */
export interface LogRequest {
  /** Their statistics, as `<split>/<name>`, where the split is their purpose, such as `train` or `val`. */
  readonly metrics: Metrics;
}

const logBody = lazySchemas(() => type({ split: "0 < string <= 128", trajectory_groups: "unknown[]" }));

/** The JSON Schema of a log request; its groups are described by `groupSchema`. */
export function logSchema(): object {
  return logBody().toJsonSchema();
}

/** Reads the body of a log request and counts its content. Issues are `missing` or `type`. */
export function* readLogRequest(raw: unknown): Steps<Result<LogRequest>> {
  const body = readTyped(logBody(), raw);
  if (!body.ok) return body;
  const groups = yield* readGroups(body.value.trajectory_groups);
  if (!groups.ok) return groups;
  return ok({ metrics: yield* logMetricsSteps(body.value.split, groups.value) });
}

/**
 * Adds the statistics of the trajectories to the model's newest checkpoint, or to the model itself if it has none.
 * Resolves to the added metrics, or to undefined if the model does not exist.
 */
export async function logTrajectories(
  training: TrainingContext,
  modelId: string,
  { metrics: added }: LogRequest,
): Promise<Metrics | undefined> {
  const { wasFound } = await untilWritten(async () => {
    const model = await training.store.model(modelId);
    if (model === undefined || model.deleted !== undefined) return { wasFound: false };
    const [newest] = await training.store.checkpoints(modelId, { order: "desc", limit: 1 });
    const version = model.version + 1;
    const written =
      newest === undefined
        ? await write(training, {
            model: { ...model, version, baseMetrics: { ...model.baseMetrics, ...added } },
          })
        : await write(training, {
            model: { ...model, version },
            checkpoints: [{ ...newest, metrics: { ...newest.metrics, ...added } }],
          });
    return written ? { wasFound: true } : undefined;
  });
  return wasFound ? added : undefined;
}

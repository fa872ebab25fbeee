// The routes of models and their checkpoints.

import { bad, ok, type Result } from "@assay/base";
import type { Checkpoint, Model, TrainingService } from "@assay/training-core";
import { readLogRequest, readModelRequest } from "@assay/training-core/internal";
import { withBody, withModel } from "./request/authorize.ts";
import type { Acts, Parts } from "./request/handler-parts.ts";
import { readPageQuery } from "./request/query.ts";
import { fileResponse } from "./response/file-response.ts";
import { filterVisible } from "./response/filter-visible.ts";
import { answer, checkpointView, list, modelView, notFound, refuseIssues } from "./response/responses.ts";

/** `/v1/preview/models` and the routes below. A model whose creator names no entity goes to `defaultEntity`. */
export function modelHandlers({ training, bodies, smallBodies }: Parts, defaultEntity: string): Acts {
  const defaults = {
    entity: defaultEntity,
    project: "default",
    newName: () => `model-${crypto.randomUUID().slice(0, 8)}`,
  };
  return {
    create_model: (incoming) =>
      withBody(
        incoming,
        smallBodies,
        (raw) => readModelRequest(raw, defaults),
        async (request, once) => {
          if (!incoming.principal.allows(request.entity, request.project)) return notFound("project");
          const made = await training.createModel(request, once);
          return made.ok ? answer(modelView(made.value)) : refuseIssues(made.issues);
        },
      ),

    list_models: async ({ principal, query }) => {
      const page = readPageQuery(query, "asc");
      if (!page.ok) return refuseIssues(page.issues, "query");
      const seen = await filterVisible(
        page.value,
        (one) => training.listModels(one),
        (model: Model) => principal.allows(model.entity, model.project),
      );
      return seen.ok ? list(seen.value, modelDetails) : refuseIssues(seen.issues, "query");
    },

    get_model: (incoming) => withModel(training, incoming, async (model) => answer(modelDetails(model))),

    delete_model: (incoming) =>
      withModel(
        training,
        incoming,
        async (model) => {
          const deleted = await training.deleteModel(model.id);
          if (deleted === undefined) return notFound("model");
          const { checkpoints, run } = deleted;
          return answer({ model_id: model.id, deleted_checkpoints: checkpoints, deleted_run: run });
        },
        { deleted: true },
      ),

    list_checkpoints: (incoming) =>
      withModel(training, incoming, async (model) => {
        const query = readPageQuery(incoming.query, "asc");
        if (!query.ok) return refuseIssues(query.issues, "query");
        const page = await training.listCheckpoints(model.id, query.value);
        return page.ok ? list(page.value, checkpointView) : refuseIssues(page.issues, "query");
      }),

    delete_checkpoints: (incoming) =>
      withModel(training, incoming, (model) =>
        withBody(incoming, smallBodies, readSteps, async (steps) => {
          const gone = await training.deleteCheckpoints(model.id, steps);
          if (gone === undefined) return notFound("model");
          return answer({ deleted_count: gone.deleted, not_found_steps: gone.notFound });
        }),
      ),

    get_checkpoint: (incoming) =>
      withModel(training, incoming, async (model) => {
        const checkpoint = await liveCheckpoint(training, model, incoming.param("step"));
        if (checkpoint === undefined) return notFound("checkpoint");
        return answer({
          ...checkpointView(checkpoint),
          model_id: model.id,
          base_model: model.baseModel,
          parent_step: checkpoint.parentStep,
          copy_of: checkpoint.copyOf
            ? { model_id: checkpoint.copyOf.modelId, step: checkpoint.copyOf.step }
            : null,
          training_data: await dataOf(training, checkpoint),
          training_job_id: checkpoint.jobId ?? null,
          created_at: new Date(checkpoint.createdAt).toISOString(),
          files: checkpoint.files.map(({ name, sha256, size }) => ({
            name,
            sha256,
            size,
            path: `/v1/preview/models/${model.id}/checkpoints/${checkpoint.step}/files/${name}`,
          })),
        });
      }),

    download_checkpoint_file: (incoming) =>
      withModel(training, incoming, async (model) => {
        const checkpoint = await liveCheckpoint(training, model, incoming.param("step"));
        const file = checkpoint?.files.find(({ name }) => name === incoming.param("name"));
        return file === undefined ? notFound("file") : fileResponse(training, file, file.name);
      }),

    log: (incoming) =>
      withModel(training, incoming, (model) =>
        withBody(incoming, bodies, readLogRequest, async (request) => {
          const metrics = await training.logTrajectories(model.id, request);
          return metrics === undefined ? notFound("model") : answer({ metrics });
        }),
      ),
  };
}

/** The source of the conversations that made a checkpoint; null for others. */
async function dataOf({ store }: TrainingService, { jobId }: Checkpoint) {
  const data = jobId === undefined ? undefined : (await store.job(jobId))?.data;
  return data === undefined ? null : { url: data.url, sha256: data.sha256 };
}

/** A model, for people. */
function modelDetails(model: Model) {
  return {
    ...modelView(model),
    object: "training.model",
    created_at: new Date(model.createdAt).toISOString(),
    step: model.headStep,
    active_job_id: model.activeJob ?? null,
    metrics: model.baseMetrics,
  };
}

/** The most steps that one request may delete. */
const MOST_STEPS = 10_000;

/** The body of a request that deletes checkpoints. */
function readSteps(raw: unknown): Result<readonly number[]> {
  const steps = typeof raw === "object" && raw !== null ? (raw as { steps?: unknown }).steps : undefined;
  if (steps === undefined) return bad([{ code: "missing", path: ["steps"], message: "field required" }]);
  if (!Array.isArray(steps) || steps.length > MOST_STEPS) {
    return bad([
      {
        code: "type",
        path: ["steps"],
        message: `steps must be a list of at most ${MOST_STEPS} whole numbers`,
      },
    ]);
  }
  const wrong = steps.findIndex((step) => !Number.isSafeInteger(step));
  if (wrong < 0) return ok(steps as number[]);
  return bad([{ code: "type", path: ["steps", wrong], message: "a step must be a whole number" }]);
}

async function liveCheckpoint({ store }: TrainingService, model: Model, step: string) {
  const checkpoint = /^\d{1,9}$/.test(step) ? await store.checkpoint(model.id, Number(step)) : undefined;
  return checkpoint?.deletedAt === undefined ? checkpoint : undefined;
}

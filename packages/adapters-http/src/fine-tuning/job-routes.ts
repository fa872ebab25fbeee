// The routes of fine-tuning jobs.

import { bad, ok, type Result } from "@assay/base";
import { readModelName } from "@assay/inference-core/internal";
import type { Checkpoint, Job, Model } from "@assay/training-core";
import { type FineTuningTarget, type Page, readFineTuningRequest } from "@assay/training-core/internal";
import { memberOf } from "../routing/query-parameters.ts";
import { type AuthenticatedRequest, withBody } from "../training/request/authorize.ts";
import type { Acts } from "../training/request/handler-parts.ts";
import { readPageQuery } from "../training/request/query.ts";
import { filterVisible } from "../training/response/filter-visible.ts";
import { answer, list, refusal } from "../training/response/responses.ts";
import { absent, refuse, wrongProject } from "./errors.ts";
import { namedProject, type Parts, type ProjectName, projectFor } from "./handler-parts.ts";
import {
  checkpointView,
  eventView,
  type FineTuningJob,
  isFineTuning,
  jobView,
  uuidOf,
} from "./serializers.ts";

/** `/v1/fine_tuning/jobs` and the routes below. */
export function jobHandlers({ training, bodies, defaultProject }: Parts): Acts {
  const { store } = training;
  /** The model of a job of this interface, if the caller may see it in the project that it names. */
  const modelFor = async (
    incoming: AuthenticatedRequest,
    job: Job | undefined,
  ): Promise<Model | undefined> => {
    const model = job === undefined || !isFineTuning(job) ? undefined : await store.model(job.modelId);
    const named = namedProject(incoming);
    const isHere =
      model !== undefined &&
      (named === undefined || (named !== "wrong" && isSame(named, model))) &&
      incoming.principal.allows(model.entity, model.project);
    return isHere ? model : undefined;
  };
  const withJob = async (
    incoming: AuthenticatedRequest,
    act: (job: FineTuningJob, model: Model) => Promise<Response>,
  ): Promise<Response> => {
    const id = incoming.param("job_id");
    const job = await store.job(uuidOf("job", id));
    const model = await modelFor(incoming, job);
    return job !== undefined && isFineTuning(job) && model !== undefined
      ? act(job, model)
      : absent("fine-tuning job", id);
  };
  const shown = (job: Job, model: Model) => answer(jobView(job as FineTuningJob, model));

  /** A job's project and what it starts from; undefined for the name of an unknown trained model. */
  async function placeOf(
    { principal }: AuthenticatedRequest,
    project: ProjectName,
    text: string,
  ): Promise<FineTuningTarget | undefined> {
    const name = readModelName(text);
    if (name?.kind === "catalogue") return project;
    if (name === undefined || !principal.allows(name.name.entity, name.name.project)) return undefined;
    const { version, ...model } = name.name;
    const known = await store.modelNamed(model);
    const isIt = name.baseModel === undefined || (known?.baseModel === name.baseModel && known.headStep > 0);
    if (known === undefined || !isIt || version.kind === "alias") return undefined;
    return { ...project, from: { ...model, step: version.kind === "step" ? version.step : "latest" } };
  }

  return {
    create_fine_tuning_job: (incoming) =>
      withBody(
        incoming,
        bodies,
        readFineTuningRequest,
        async (request, once) => {
          const project = projectFor(incoming, defaultProject);
          if (project === "wrong") return wrongProject();
          const place = await placeOf(incoming, project, request.model);
          if (place === undefined) return noModel(request.model);
          const byIds = {
            ...request,
            trainingFile: uuidOf("file", request.trainingFile),
            ...(request.validationFile && { validationFile: uuidOf("file", request.validationFile) }),
          };
          const job = await training.submitFineTuning(byIds, place, once);
          if (!job.ok) return refuse(job.issues);
          return shown(job.value, (await store.model(job.value.modelId))!);
        },
        refuse,
      ),

    list_fine_tuning_jobs: async (incoming) => {
      const page = readPageQuery(incoming.query, "desc");
      if (!page.ok) return refuse(page.issues);
      if (namedProject(incoming) === "wrong") return wrongProject();
      const { after } = page.value;
      const metadata = metadataIn(incoming.query);
      if (!metadata.ok) return refuse(metadata.issues);
      const models = new Map<string, Model>();
      const isVisible = async (job: Job) => {
        const own = isFineTuning(job) ? job.fineTuning.metadata : undefined;
        if (!metadata.value.every(([name, text]) => own?.[name] === text)) return false;
        const model = await modelFor(incoming, job);
        if (model !== undefined) models.set(job.id, model);
        return model !== undefined;
      };
      const query = { ...page.value, ...(after !== undefined && { after: uuidOf("job", after) }) };
      const seen = await filterVisible(query, (one) => training.listJobs(one), isVisible);
      if (!seen.ok) return refuse(seen.issues);
      return list(seen.value, (job) => jobView(job as FineTuningJob, models.get(job.id)!));
    },

    retrieve_fine_tuning_job: (incoming) =>
      withJob(incoming, async (job, model) => shown(await training.expireIfLost(job), model)),

    cancel_fine_tuning_job: (incoming) =>
      withJob(incoming, async ({ id }, model) => {
        const job = await training.cancelJob(id);
        return job.ok ? shown(job.value, model) : refuse(job.issues);
      }),

    pause_fine_tuning_job: (incoming) => withJob(incoming, async () => noPauses("pause")),
    resume_fine_tuning_job: (incoming) => withJob(incoming, async () => noPauses("resume")),
    list_fine_tuning_events: (incoming) =>
      withJob(incoming, async (job, model) => {
        const page = readPageQuery(incoming.query, "desc");
        if (!page.ok) return refuse(page.issues);
        const { limit, after } = page.value;
        const query = { limit, ...(after !== undefined && { after: uuidOf("event", after) }) };
        const events = await training.newestEvents(job.id, query);
        if (!events.ok) return refuse(events.issues);
        const now = (await store.job(job.id)) as FineTuningJob;
        return list(events.value, (event) => eventView(event, now, model));
      }),

    list_fine_tuning_checkpoints: (incoming) =>
      withJob(incoming, async (job, model) => {
        const page = readPageQuery(incoming.query, "desc");
        if (!page.ok) return refuse(page.issues);
        const made = job.checkpoint && (await store.checkpoint(model.id, job.checkpoint.step));
        const isThere = made !== undefined && made.deletedAt === undefined && page.value.after === undefined;
        const found: Page<Checkpoint> = { items: isThere ? [made] : [], hasMore: false };
        return list(found, (checkpoint) => checkpointView(checkpoint, job, model));
      }),
  };
}

/** The names and texts that metadata must have. Clients write each as `metadata[name]`. */
function metadataIn(query: URLSearchParams): Result<readonly (readonly [name: string, text: string])[]> {
  if (query.has("metadata"))
    return bad([
      { code: "type", path: ["metadata"], message: "filter metadata by name, as in metadata[team]=a" },
    ]);
  return ok(
    [...query].flatMap(([name, text]) => {
      const found = memberOf(name);
      return found?.of === "metadata" ? [[found.member, text] as const] : [];
    }),
  );
}

function isSame(one: ProjectName, other: ProjectName): boolean {
  return one.entity === other.entity && one.project === other.project;
}

function noPauses(verb: string): Response {
  const detail = `jobs cannot be paused: ${verb} is not supported`;
  return refusal({ status: 400, detail }, { code: "unsupported" });
}

function noModel(model: string): Response {
  const message = `there is no model ${JSON.stringify(model.slice(0, 200))}`;
  return refuse([{ code: "model_not_found", path: ["model"], message }]);
}

// The routes of training jobs: submitting them with their data, reading, following and cancelling them.

import { bad, ok, type Result } from "@assay/base";
import { NO_ARTIFACT, readArtifactUrl } from "@assay/tracking-core/internal";
import type { Job, JobStatus } from "@assay/training-core";
import { JOB_STATUSES, readRlRequest, readSftRequest, uploadUrl } from "@assay/training-core/internal";
import { DecodingError, decodedBody } from "../request/body.ts";
import { readNumber } from "../request/number-range.ts";
import type { Principal } from "../request/principal.ts";
import { withBody, withJob } from "./request/authorize.ts";
import { type Acts, type Parts, unlessGone, WAIT } from "./request/handler-parts.ts";
import { readPageQuery } from "./request/query.ts";
import { jobEvents } from "./response/event-stream.ts";
import { filterVisible } from "./response/filter-visible.ts";
import { answer, eventView, jobView, list, notFound, refusal, refuseIssues } from "./response/responses.ts";

/**
 * `/v1/preview/training-jobs` and the routes below, `/v1/preview/sft-training-jobs` and `/v1/preview/training-data`.
 */
export function jobHandlers({ training, bodies, smallBodies, gone }: Parts): Acts {
  /** Whether the principal may train this model. */
  const mayTrain = async (principal: Principal, modelId: string) => {
    const model = await training.store.model(modelId);
    return model !== undefined && principal.allows(model.entity, model.project);
  };
  const submitted = (job: Result<Job>) => (job.ok ? answer(jobView(job.value)) : refuseIssues(job.issues));

  return {
    create_rl_training_job: (incoming) =>
      withBody(incoming, bodies, readRlRequest, async (request, once) => {
        if (!(await mayTrain(incoming.principal, request.modelId))) return notFound("model");
        return submitted(await training.submitRl(request, once));
      }),

    create_sft_training_job: (incoming) =>
      withBody(incoming, smallBodies, readSftRequest, async (request, once) => {
        if (!(await mayTrain(incoming.principal, request.modelId))) return notFound("model");
        const source = readArtifactUrl(request.url);
        if (source !== undefined && !incoming.principal.allows(source.entity, source.project))
          return refuseIssues([{ code: "data_missing", path: ["training_data_url"], message: NO_ARTIFACT }]);
        const { signal } = incoming.request;
        return submitted(await training.submitSft(request, once, signal));
      }),

    upload_training_data: async ({ request }) => {
      const bytes = decodedBody(request);
      if (!bytes.ok) return refusal({ status: bytes.refusal.status, detail: bytes.refusal.message });
      try {
        const read = await training.storeRows(bytes.value);
        if (!read.ok) return refuseIssues(read.issues);
        const { data, rows } = read.value;
        return answer({
          training_data_url: uploadUrl(data.sha256),
          sha256: data.sha256,
          bytes: data.size,
          rows,
        });
      } catch (error) {
        if (error instanceof DecodingError) return refusal({ status: 400, detail: error.message });
        throw error;
      }
    },

    list_training_jobs: async ({ principal, query }) => {
      const page = readPageQuery(query, "desc");
      const statuses = readStatuses(query);
      if (!page.ok || !statuses.ok)
        return refuseIssues(
          [page, statuses].flatMap((one) => (one.ok ? [] : one.issues)),
          "query",
        );
      const modelId = query.get("model_id");
      const wanted = {
        ...(statuses.value && { statuses: statuses.value }),
        ...(modelId !== null && { modelId }),
      };
      const isVisible = async (job: Job) => mayTrain(principal, job.modelId);
      const seen = await filterVisible(
        page.value,
        (one) => training.listJobs({ ...one, ...wanted }),
        isVisible,
      );
      return seen.ok ? list(seen.value, jobView) : refuseIssues(seen.issues, "query");
    },

    get_training_job: (incoming) =>
      withJob(training, incoming, async (job) => answer(jobView(await training.expireIfLost(job)))),

    cancel_training_job: (incoming) =>
      withJob(training, incoming, async ({ id }) => {
        const job = await training.cancelJob(id);
        return job.ok ? answer(jobView(job.value)) : refuseIssues(job.issues, "path");
      }),

    list_training_job_events: (incoming) =>
      withJob(training, incoming, async ({ id }) => {
        const { request, query } = incoming;
        const page = readPageQuery(query, "asc");
        const wait = readNumber(query, "wait", WAIT);
        const include = readInclude(query);
        if (!page.ok || !wait.ok || !include.ok)
          return refuseIssues(
            [page, wait, include].flatMap((one) => (one.ok ? [] : one.issues)),
            "query",
          );
        const streaming = (request.headers.get("accept") ?? "").includes("text/event-stream");
        const after =
          page.value.after ?? (streaming ? (request.headers.get("last-event-id") ?? undefined) : undefined);
        const { limit } = page.value;
        const wanted = { limit, all: include.value, ...(after !== undefined && { after }) };
        const read =
          wait.value > 0 && !streaming
            ? unlessGone(gone(request), (signal) =>
                training.awaitEvents(id, wanted, wait.value * 1000, signal),
              )
            : training.readEvents(id, wanted);
        const events = await read;
        if (!events.ok) return refuseIssues(events.issues, "query");
        return streaming ? jobEvents(training, id, wanted, gone(request)) : list(events.value, eventView);
      }),
  };
}

/** `include=all`: the service's own events too. */
function readInclude(query: URLSearchParams): Result<boolean> {
  const include = query.get("include");
  if (include === null || include === "all") return ok(include === "all");
  return bad([{ code: "enum", path: ["include"], message: "include must be all" }]);
}

/** `status=queued,running`: only jobs with these statuses. */
function readStatuses(query: URLSearchParams): Result<readonly JobStatus[] | undefined> {
  const text = query.get("status");
  if (text === null || text === "") return ok(undefined);
  const asked = text.split(",");
  const statuses = JOB_STATUSES.filter((status) => asked.includes(status));
  if (asked.every((one) => (JOB_STATUSES as readonly string[]).includes(one))) return ok(statuses);
  const message = `status must be one or more of ${JOB_STATUSES.join(", ")}`;
  return bad([{ code: "enum", path: ["status"], message }]);
}

// The routes of remote workers, which claim a job, download its files, report progress and upload their files.

import { bad, type Issue, type Json, ok, type Result } from "@assay/base";
import type { Job, Model, StoredBlob, TrainingKind, TrainingService } from "@assay/training-core";
import { dataOf, isActive, readReports } from "@assay/training-core/internal";
import { DecodingError, decodedBody } from "../request/body.ts";
import { readNumber } from "../request/number-range.ts";
import { withBody, withJob } from "./request/authorize.ts";
import { type Acts, type Parts, unlessGone, WAIT } from "./request/handler-parts.ts";
import { fileResponse } from "./response/file-response.ts";
import { answer, answerInPieces, notFound, refusal, refuseIssues } from "./response/responses.ts";

/**
 * `POST /v1/preview/worker/claim`, and for a claimed job: `POST …/messages`, `GET …/files/{sha256}` (parent files and
 * data), `POST …/files` (files of the checkpoint, one each). Anyone who may see a job may train it.
 */
export function workerHandlers({ training, bodies, smallBodies, gone }: Parts): Acts {
  return {
    claim_task: (incoming) =>
      withBody(incoming, smallBodies, readClaim, async (claim) => {
        const wait = readNumber(incoming.query, "wait", WAIT);
        if (!wait.ok) return refuseIssues(wait.issues, "query");
        const claimant = {
          worker: claim.worker,
          accepts: ({ kind, baseModel }: TrainingKind, { entity, project }: Model) =>
            (claim.kinds?.includes(kind) ?? true) &&
            (claim.baseModels?.includes(baseModel) ?? true) &&
            incoming.principal.allows(entity, project),
        };
        const task = await unlessGone(gone(incoming.request), (signal) =>
          training.awaitTask(claimant, wait.value * 1000, signal),
        );
        const { leaseMs, heartbeatMs } = training.policy;
        const lease = { ttl_seconds: leaseMs / 1000, heartbeat_seconds: heartbeatMs / 1000 };
        return answerInPieces({ task: (task ?? null) as Json, lease });
      }),

    report_messages: (incoming) =>
      withJob(training, incoming, (job) =>
        withBody(incoming, bodies, readReports, async ({ attempt, messages }) => {
          let reply = await training.report(job.id, attempt, messages[0]!);
          for (const message of messages.slice(1)) {
            if (reply === undefined || isRefused(reply.verdict)) break;
            reply = await training.report(job.id, attempt, message);
          }
          if (reply === undefined) return notFound("job");
          const { verdict, stop } = reply;
          const body = { verdict, stop, state: reply.job.state, steps_reported: reply.job.steps };
          if (!isRefused(verdict)) return answer(body);
          return refusal({ status: 409, detail: REFUSED[verdict] }, { code: verdict, body });
        }),
      ),

    fetch_job_file: (incoming) =>
      withJob(training, incoming, async (job) => {
        const sha256 = incoming.param("sha256");
        const blob = (await blobsOf(training, job)).find((one) => one.sha256 === sha256);
        return blob === undefined ? notFound("file") : fileResponse(training, blob, sha256);
      }),

    leave_job_file: (incoming) =>
      withJob(training, incoming, async (job) => {
        if (!isActive(job.state))
          return refusal({ status: 409, detail: `the job is ${job.state}` }, { code: "invalid_state" });
        const bytes = decodedBody(incoming.request);
        if (!bytes.ok) return refusal({ status: bytes.refusal.status, detail: bytes.refusal.message });
        try {
          const { sha256, size } = await training.artifacts.write(bytes.value);
          return answer({ sha256, size });
        } catch (error) {
          if (error instanceof DecodingError) return refusal({ status: 400, detail: error.message });
          throw error;
        }
      }),
  };
}

const REFUSED = {
  owner_lost: "this attempt is over: the job has another worker, or none",
  out_of_order: "an earlier message is missing: continue after steps_reported",
  invalid_state: "this is not possible in the job's state",
} as const;

function isRefused(verdict: string): verdict is keyof typeof REFUSED {
  return Object.hasOwn(REFUSED, verdict);
}

/** The jobs that a worker can train. */
interface ClaimRequest {
  readonly worker: string;
  readonly kinds: readonly string[] | undefined;
  readonly baseModels: readonly string[] | undefined;
}

function readClaim(raw: unknown): Result<ClaimRequest> {
  const { worker, kinds, base_models: baseModels } = (raw ?? {}) as Record<string, unknown>;
  const issues: Issue[] = [];
  if (typeof worker !== "string" || worker === "" || worker.length > 128) {
    issues.push({ code: "type", path: ["worker"], message: "worker must be a name of 1 to 128 characters" });
  }
  for (const [name, value] of [
    ["kinds", kinds],
    ["base_models", baseModels],
  ] as const) {
    if (value != null && !isTexts(value))
      issues.push({ code: "type", path: [name], message: `${name} must be a list of strings` });
  }
  if (issues.length > 0) return bad(issues);
  return ok({
    // Prefixed, so that no remote worker is mistaken for one of this process when it restarts.
    worker: `remote:${worker}`,
    kinds: isTexts(kinds) ? kinds : undefined,
    baseModels: isTexts(baseModels) ? baseModels : undefined,
  });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** The blobs that belong to a job. */
async function blobsOf({ store }: TrainingService, job: Job): Promise<readonly StoredBlob[]> {
  // In other jobs the training data is in the task, and may be long.
  const data = job.kind === "sft" ? dataOf(await store.spec(job.id)) : [];
  return [...(job.parent?.files ?? []), ...(job.trained?.files ?? []), ...data];
}

// Cancels a job, which takes until its worker has stopped.

import { bad, ok, type Result } from "@assay/base";
import { hasEnded, type Job } from "../job/job.ts";
import { command } from "../state/change-job.ts";
import type { TrainingContext } from "../state/context.ts";

/**
 * Requests the cancellation of a job. A queued job is cancelled immediately; one in training when its worker has
 * stopped or is lost. Repeating the request changes nothing. Issues: `job_not_found`; `ended` if it has already
 * succeeded or failed.
 */
export async function cancelJob(training: TrainingContext, jobId: string): Promise<Result<Job>> {
  const answer = await command(training, jobId, { type: "cancel" });
  if (answer === undefined)
    return bad([{ code: "job_not_found", path: [], message: "there is no such job" }]);
  const { verdict, job } = answer;
  if (verdict === "applied" || verdict === "already") return ok(job);
  if (!hasEnded(job.state)) throw new Error(`a ${job.state} job cannot be cancelled`);
  return bad([{ code: "ended", path: [], message: `the job has already ${job.state}` }]);
}

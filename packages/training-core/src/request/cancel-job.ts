// Cancelling a job, which takes as long as its worker takes to stop.

import { bad, ok, type Result } from "@assay/base";
import { hasEnded, type Job } from "../job/job.ts";
import { command } from "../state/change-job.ts";
import type { TrainingContext } from "../state/context.ts";

/**
 * Asks for the job to be cancelled. A queued job is cancelled at once; one that is being trained once its worker
 * has stopped, or is lost. Asking again changes nothing. Issues: `job_not_found`; `ended` when it has succeeded
 * or failed already.
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

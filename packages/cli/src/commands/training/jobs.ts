// assay jobs: lists training jobs, shows one, cancels one.

import { type ServerOptions, serverAddress } from "../../clients/server-address.ts";
import { type JobInfo, trainingClient } from "../../clients/training-client.ts";
import { isJson, type PrintOptions, printTable } from "../../render/print-table.ts";
import { type CliContext, log, print, printJson } from "../../terminal/cli-context.ts";
import { EXIT } from "../../terminal/failure.ts";
import { plainText } from "../../terminal/plain-text.ts";

/** Which jobs to list. */
export interface JobsOptions extends ServerOptions, PrintOptions {
  /** Only jobs with these statuses, separated by commas. */
  readonly status?: string | undefined;
  readonly limit: number;
}

/** The job's ID. */
export interface JobOptions extends ServerOptions {
  readonly job: string;
}

/** Lists jobs, newest first. Returns the exit code. */
export async function jobsCommand(context: CliContext, options: JobsOptions): Promise<number> {
  const client = trainingClient(await serverAddress(options), options.apiKey);
  const { jobs, more } = await client.jobs(options);
  if (isJson(context, options)) await printJson(context, jobs);
  else if (jobs.length === 0 && options.status !== undefined)
    log(context, `no jobs with the status ${options.status}`);
  else if (jobs.length === 0) log(context, "no jobs; assay train sft --help shows how to start one");
  else {
    const rows = jobs.map((job) => [
      job.id,
      job.type,
      job.status,
      stepsText(job),
      job.created_at.slice(0, 16).replace("T", " "),
      job.error === null ? job.warnings.map(({ code }) => code) : job.error.code,
    ]);
    await printTable(context, ["id", "kind", "status", "steps", "created", "why"], rows, 0);
    if (more) log(context, "more jobs exist: raise --limit to list them");
  }
  return EXIT.ok;
}

/** Prints everything known about a job. Returns the exit code. */
export async function showJobCommand(context: CliContext, options: JobOptions): Promise<number> {
  const client = trainingClient(await serverAddress(options), options.apiKey);
  await printJson(context, await client.job(options.job));
  return EXIT.ok;
}

/** Cancels a job. Returns the exit code. */
export async function cancelCommand(context: CliContext, options: JobOptions): Promise<number> {
  const client = trainingClient(await serverAddress(options), options.apiKey);
  const { status } = await client.cancel(options.job);
  await print(context, `job ${plainText(options.job)} is ${status}`);
  return EXIT.ok;
}

function stepsText({ progress: { step, total } }: JobInfo): string {
  return total === null ? "" : `${step.toLocaleString("en")} of ${total.toLocaleString("en")}`;
}

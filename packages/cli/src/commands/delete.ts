// assay delete: deletes an evaluation or a project from a data directory, so that nothing of it is left in any file.

import { existsSync } from "node:fs";
import { type Deletion, type DeletionReport, deleteRecords, lockHolder } from "@assay/adapters-duckdb";
import { namedEvaluations } from "../compare/named-evaluations.ts";
import type { DataAccess } from "../data-access.ts";
import { EXIT, Failure } from "../failure.ts";
import { counted } from "../import-report.ts";
import { openLocalData } from "../local-data.ts";
import { failOnMissing, missingProject } from "../missing-names.ts";
import { projectArgument } from "../project-argument.ts";
import { remoteData } from "../remote-data.ts";
import { findServer } from "../server-proof.ts";
import { asked } from "../service.ts";
import { print, say, type World } from "../world.ts";

/** What to delete. */
export interface DeleteOptions {
  readonly project: string;
  /** Its id or its name; all of the project when undefined. */
  readonly evaluation: string | undefined;
  /** The data directory. */
  readonly data: string;
  /** The key of the server that may have it open. */
  readonly apiKey: string | undefined;
  /** Whether it is meant: without it, what would be deleted is said alone. */
  readonly yes: boolean;
}

/** Deletes, through the server that has the directory open when there is one. Gives the exit code. */
export async function deleteCommand(world: World, options: DeleteOptions): Promise<number> {
  const project = projectArgument(options.project);
  const { data: directory, apiKey, yes } = options;
  if (!existsSync(directory)) throw new Failure(EXIT.usage, `there is no data directory ${directory}`);
  const address = await findServer(directory);
  if (address === undefined) refuseWhileOpen(directory);
  const data = address === undefined ? await openLocalData(directory, world) : remoteData(address, apiKey);
  const { deletion, what } = await deletionOf(data, project, options.evaluation);
  if (!yes) {
    say(world, `assay: this deletes ${what} for ever; say --yes if it is meant. Nothing was deleted`);
    return EXIT.usage;
  }
  const { calls, rows } =
    address === undefined
      ? await deleteRecords(directory, deletion, (message) => say(world, `assay: ${message}`))
      : await deleteFrom(address, apiKey, deletion);
  await print(
    world,
    `deleted ${what}: ${counted(calls, "call")} and ${counted(rows, "dataset row")}; no file of ${directory} holds them any more`,
  );
  return EXIT.ok;
}

/** Another program than a server has files open that are to be written anew. */
function refuseWhileOpen(directory: string): void {
  const holder = lockHolder(directory);
  if (holder === undefined) return;
  throw new Failure(
    EXIT.failed,
    `${directory} is open in process ${holder.pid}: wait until it has ended, and delete then`,
  );
}

/** Asks the server at `url`, which closes its files for that. */
async function deleteFrom(
  url: string,
  apiKey: string | undefined,
  { project, evaluation }: Deletion,
): Promise<DeletionReport> {
  const below = evaluation === undefined ? "" : `/eval_results/evaluations/${encodeURIComponent(evaluation)}`;
  const path = `/v2/${project.split("/").map(encodeURIComponent).join("/")}${below}`;
  const headers = apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` };
  const answer = await asked((request) => fetch(request), url, path, { method: "DELETE" }, headers);
  return (await answer.json()) as DeletionReport;
}

async function deletionOf(
  data: DataAccess,
  project: string,
  name: string | undefined,
): Promise<{ readonly deletion: Deletion; readonly what: string }> {
  try {
    const projects = await data.listProjects();
    if (!projects.some((one) => one.project === project))
      failOnMissing([await missingProject(data, project)]);
    const listed = await data.evaluations(project);
    if (name === undefined)
      return { deletion: { project }, what: `${project}, with ${counted(listed.length, "evaluation")}` };
    const [evaluation] = await namedEvaluations(data, project, [name]);
    const known = listed.find(({ id }) => id === evaluation);
    const called = known === undefined || known.name === null ? "" : `${known.name} `;
    const trials = known === undefined ? "" : ` with ${counted(known.trials, "trial")}`;
    return {
      deletion: { project, evaluation: evaluation! },
      what: `the evaluation ${called}(${evaluation})${trials} of ${project}`,
    };
  } finally {
    await data.close();
  }
}

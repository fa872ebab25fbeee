// assay delete: deletes an evaluation or a project from a data directory, so that nothing of it is left in any file.

import { existsSync } from "node:fs";
import { type Deletion, deleteRecords, lockHolder } from "@assay/adapters-duckdb";
import { namedEvaluations } from "../compare/named-evaluations.ts";
import { EXIT, Failure } from "../failure.ts";
import { counted } from "../import-report.ts";
import { openLocalData } from "../local-data.ts";
import { failOnMissing, missingProject } from "../missing-names.ts";
import { projectArgument } from "../project-argument.ts";
import { print, say, type World } from "../world.ts";

/** What to delete. */
export interface DeleteOptions {
  readonly project: string;
  /** Its id or its name; all of the project when undefined. */
  readonly evaluation: string | undefined;
  /** The data directory. */
  readonly data: string;
  /** Whether it is meant: without it, what would be deleted is said alone. */
  readonly yes: boolean;
}

/** Deletes. Gives the exit code. */
export async function deleteCommand(world: World, options: DeleteOptions): Promise<number> {
  const project = projectArgument(options.project);
  const { data: directory, yes } = options;
  if (!existsSync(directory)) throw new Failure(EXIT.usage, `there is no data directory ${directory}`);
  refuseWhileOpen(directory);
  const { deletion, what } = await deletionOf(world, directory, project, options.evaluation);
  if (!yes) {
    say(world, `assay: this deletes ${what} for ever; say --yes if it is meant. Nothing was deleted`);
    return EXIT.usage;
  }
  const { calls, rows } = await deleteRecords(directory, deletion, (message) =>
    say(world, `assay: ${message}`),
  );
  await print(
    world,
    `deleted ${what}: ${counted(calls, "call")} and ${counted(rows, "dataset row")}; no file of ${directory} holds them any more`,
  );
  return EXIT.ok;
}

/** A server has files open that are to be written anew, and columns in memory of what is to be gone. */
function refuseWhileOpen(directory: string): void {
  const holder = lockHolder(directory);
  if (holder === undefined) return;
  const where = holder.address === undefined ? "" : `, which serves it at ${holder.address}`;
  throw new Failure(
    EXIT.failed,
    `${directory} is open in process ${holder.pid}${where}: stop it, delete, and start it again`,
  );
}

async function deletionOf(
  world: World,
  directory: string,
  project: string,
  name: string | undefined,
): Promise<{ readonly deletion: Deletion; readonly what: string }> {
  const data = await openLocalData(directory, world);
  try {
    if (!data.store.projects().includes(project)) failOnMissing([await missingProject(data, project)]);
    const listed = await data.store.evaluations(project);
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

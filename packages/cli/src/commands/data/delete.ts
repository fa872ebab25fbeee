// assay delete: permanently deletes an evaluation, old evaluations or a project from a data directory or a ClickHouse
// database.

import { type Deletion, type DeletionReport, deleteRecords, lockHolder } from "@assay/adapters-duckdb";
import { type DataDirectory, findServer, openClickHouse, openDirectory } from "@assay/server/directory";
import { type DataAccess, expiredEvaluations } from "@assay/server/internal";
import { projectPath, serverClient } from "../../clients/server-client.ts";
import { checkDirectory } from "../../data/open-data.ts";
import { projectArgument } from "../../data/project-argument.ts";
import { remoteData } from "../../data/remote-data.ts";
import { failOnMissing, missingProject } from "../../query/check-names.ts";
import { evaluationsNamed, namedEvaluations } from "../../query/named-evaluations.ts";
import { type CliContext, log, messageLog, print } from "../../terminal/cli-context.ts";
import { counted } from "../../terminal/counted.ts";
import { EXIT, Failure } from "../../terminal/failure.ts";

/** What to delete. */
export interface DeleteOptions {
  readonly project: string;
  /** Its ID or name; if undefined, the whole project, or the evaluations that `olderThan` selects. */
  readonly evaluation?: string | undefined;
  /** Evaluations that ended more than this many days ago. */
  readonly olderThan?: number | undefined;
  /** The data directory. */
  readonly data: string;
  /** The address of the ClickHouse database with evaluations; undefined if they are in the directory. */
  readonly store?: string | undefined;
  /** The API key of the server that may have it open. */
  readonly apiKey?: string | undefined;
  /** Whether the user confirmed: otherwise the command only shows what would be deleted. */
  readonly yes: boolean;
}

/** The most evaluations per request to a server. */
const OF_ONE_REQUEST = 256;

/** Deletes, through the server that has the directory open, if there is one. Returns the exit code. */
export async function deleteCommand(context: CliContext, options: DeleteOptions): Promise<number> {
  const project = projectArgument(options.project);
  const { data: directory, apiKey, store, yes } = options;
  if (store !== undefined) return deleteFromStore(context, store, project, options);
  checkDirectory(directory);
  const address = await findServer(directory);
  if (address === undefined) refuseWhileOpen(directory);
  const local =
    address === undefined ? await openDirectory(directory, { tell: messageLog(context) }) : undefined;
  // The server itself reports data of a project other than evaluations.
  const logged = local === undefined ? async () => true : () => hasLogged(local, project);
  const data = local ?? remoteData(address!, apiKey);
  const found = await deletionOf(data, project, options, logged);
  if (found === undefined) return nothingOld(context, options);
  const { deletion, what } = found;
  if (!yes) return refuseUnconfirmed(context, what);
  const report =
    address === undefined
      ? await deleteRecords(directory, deletion, messageLog(context))
      : await deleteFrom(address, apiKey, deletion);
  await print(context, `deleted ${what}: ${amounts(report)}; nothing is left in ${directory}`);
  return EXIT.ok;
}

/** The counts of deleted records. */
function amounts({ calls, rows, runs, artifacts }: Partial<DeletionReport>): string {
  const all = [
    counted(calls ?? 0, "call"),
    counted(rows ?? 0, "dataset row"),
    ...(runs ? [counted(runs, "run")] : []),
    ...(artifacts ? [`${counted(artifacts, "version")} of artifacts`] : []),
  ];
  return `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

/** Deletes from a ClickHouse database. */
async function deleteFromStore(
  context: CliContext,
  store: string,
  project: string,
  options: DeleteOptions,
): Promise<number> {
  const found = await deletionOf(await openClickHouse(store), project, options);
  if (found === undefined) return nothingOld(context, options);
  const { deletion, what } = found;
  if (!options.yes) return refuseUnconfirmed(context, what);
  const data = await openClickHouse(store);
  try {
    const { old_parts, ...report } = await data.remove(deletion);
    await print(context, `deleted ${what}: ${amounts(report)}; queries of ${data.where} no longer find them`);
    if (old_parts > 0)
      log(
        context,
        `assay: ${counted(old_parts, "old part")} of its tables ${old_parts === 1 ? "is" : "are"} still on the disk: ClickHouse removes them within minutes (old_parts_lifetime)`,
      );
    return EXIT.ok;
  } finally {
    await data.close();
  }
}

async function nothingOld(context: CliContext, { project, olderThan }: DeleteOptions): Promise<number> {
  await print(
    context,
    `no evaluation of ${project} ended more than ${olderThan} days ago: nothing was deleted`,
  );
  return EXIT.ok;
}

function refuseUnconfirmed(context: CliContext, what: string): number {
  log(context, `assay: nothing was deleted; add --yes to permanently delete ${what}`);
  return EXIT.usage;
}

/** A program other than a server has the files open that must be rewritten. */
function refuseWhileOpen(directory: string): void {
  const holder = lockHolder(directory);
  if (holder === undefined) return;
  throw new Failure(
    EXIT.failed,
    `${directory} is open in process ${holder.pid}: wait until it ends, then delete`,
  );
}

const NOTHING: DeletionReport = { calls: 0, rows: 0, runs: 0, artifacts: 0 };

/** Sends the deletion to the server at `url`, which closes its files for it. */
async function deleteFrom(
  url: string,
  apiKey: string | undefined,
  { project, evaluations }: Deletion,
): Promise<DeletionReport> {
  const { ask } = serverClient(url, apiKey);
  const path = projectPath(project);
  if (evaluations === undefined)
    return { ...NOTHING, ...(await ask("DELETE /v2/{entity}/{project}", { path })) };
  let report = NOTHING;
  for (let at = 0; at < evaluations.length; at += OF_ONE_REQUEST) {
    const query = { evaluation: evaluations.slice(at, at + OF_ONE_REQUEST) };
    const { calls, rows } = await ask("DELETE /v2/{entity}/{project}/eval_results/evaluations", {
      path,
      query,
    });
    report = { ...report, calls: report.calls + calls, rows: report.rows + rows };
  }
  return report;
}

/** Whether a directory contains runs or artifacts of a project. */
async function hasLogged({ stores: { tracking } }: DataDirectory, name: string): Promise<boolean> {
  const [entity = "", project = ""] = name.split("/");
  const of = { entity, project };
  return (await tracking.runCount(of)) > 0 || (await tracking.collectionCount(of)) > 0;
}

/**
 * What to delete; undefined if nothing is old enough. `logged` tells whether the project may have more than
 * evaluations.
 */
async function deletionOf(
  data: DataAccess,
  project: string,
  { evaluation: name, olderThan }: DeleteOptions,
  logged: () => Promise<boolean> = async () => false,
): Promise<{ readonly deletion: Deletion; readonly what: string } | undefined> {
  try {
    const projects = await data.listProjects();
    const known = projects.some((one) => one.project === project);
    if (!known && (name !== undefined || olderThan !== undefined || !(await logged())))
      failOnMissing([await missingProject(data, project)]);
    if (olderThan !== undefined) {
      const evaluations = expiredEvaluations(await data.evaluations(project), olderThan, Date.now());
      if (evaluations.length === 0) return undefined;
      const what = `${counted(evaluations.length, "evaluation")} of ${project} that ended more than ${olderThan} days ago (${evaluations.slice(0, 5).join(", ")}${evaluations.length > 5 ? ", …" : ""})`;
      return { deletion: { project, evaluations }, what };
    }
    if (name === undefined) {
      const { evaluations = 0 } = projects.find((one) => one.project === project) ?? {};
      return { deletion: { project }, what: `${project}, with ${counted(evaluations, "evaluation")}` };
    }
    const [evaluation] = await namedEvaluations(data, project, [name]);
    const named = await evaluationsNamed(data, project, [evaluation!]);
    const found = named.find(({ id }) => id === evaluation);
    const called = found === undefined || found.name === null ? "" : `${found.name} `;
    const trials = found === undefined ? "" : ` with ${counted(found.trials, "trial")}`;
    return {
      deletion: { project, evaluations: [evaluation!] },
      what: `the evaluation ${called}(${evaluation})${trials} of ${project}`,
    };
  } finally {
    await data.close();
  }
}

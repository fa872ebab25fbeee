// assay delete --run and --artifact: deletes what W&B's clients logged, through the server that has the directory open.

import { type ServerOptions, serverAddress } from "../../clients/server-address.ts";
import { projectPath, serverClient } from "../../clients/server-client.ts";
import { projectArgument } from "../../data/project-argument.ts";
import { type CliContext, log, print } from "../../terminal/cli-context.ts";
import { EXIT } from "../../terminal/failure.ts";
import { plainText } from "../../terminal/plain-text.ts";

/** What to delete: a run by its name, or a version of an artifact as NAME:VERSION. */
export interface DeleteLoggedOptions extends ServerOptions {
  readonly project: string;
  readonly what: "run" | "artifact";
  readonly name: string;
  /** Whether the user confirmed: otherwise the command only shows what would be deleted. */
  readonly yes: boolean;
}

/** Deletes a run or an artifact, so that no file of the directory contains it any more. Returns the exit code. */
export async function deleteLoggedCommand(
  context: CliContext,
  options: DeleteLoggedOptions,
): Promise<number> {
  const { what, name, apiKey, yes } = options;
  const project = projectArgument(options.project);
  const url = await serverAddress(options);
  const shown = `the ${what} ${plainText(name)} of ${project}`;
  if (!yes) {
    log(context, `assay: nothing was deleted; add --yes to permanently delete ${shown}`);
    return EXIT.usage;
  }
  const { ask } = serverClient(url, apiKey);
  const path = projectPath(project);
  if (what === "run") await ask("DELETE /v2/{entity}/{project}/runs/{run}", { path: { ...path, run: name } });
  else await ask("DELETE /v2/{entity}/{project}/artifacts/{name}", { path: { ...path, name } });
  await print(context, `deleted ${shown}; nothing is left in the server's data directory`);
  return EXIT.ok;
}

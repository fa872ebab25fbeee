// The trainer configuration file, read when a server starts; every error is reported with its position.

import { readTrainingConfig, type TrainingConfig } from "@assay/server";
import { textOfFile } from "../files/input-file.ts";
import { type CliContext, log } from "../terminal/cli-context.ts";
import { EXIT, Failure } from "../terminal/failure.ts";

/** The content of the file at `path`, undefined without one. Throws a `Failure` after reporting all errors. */
export async function readTrainingFile(
  context: CliContext,
  path: string | undefined,
): Promise<TrainingConfig | undefined> {
  if (path === undefined) return undefined;
  const config = readTrainingConfig(await textOfFile(context, path), context.env);
  if (config.ok) return config.value;
  const [first, ...others] = config.issues.map(({ path, message }) =>
    [path.join("."), message].filter(Boolean).join(": "),
  );
  for (const other of others) log(context, `assay: ${path}: ${other}`);
  throw new Failure(EXIT.usage, `${path}: ${first}`);
}

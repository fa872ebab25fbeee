// The file of trainers, read when a server starts; every error is reported with its place.

import { readTrainingConfig, type TrainingConfig } from "@assay/server";
import { EXIT, Failure } from "./failure.ts";
import { textOfFile } from "./input-file.ts";
import { say, type World } from "./world.ts";

/** The content of the file at `path`, undefined without one. Throws a `Failure` after reporting all errors. */
export async function readTrainingFile(
  world: World,
  path: string | undefined,
): Promise<TrainingConfig | undefined> {
  if (path === undefined) return undefined;
  const config = readTrainingConfig(await textOfFile(world, path), world.env);
  if (config.ok) return config.value;
  const [first, ...others] = config.issues.map(({ path, message }) =>
    [path.join("."), message].filter(Boolean).join(": "),
  );
  for (const other of others) say(world, `assay: ${path}: ${other}`);
  throw new Failure(EXIT.usage, `${path}: ${first}`);
}

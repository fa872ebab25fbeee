// The engine configuration file, read when a server starts; every error is reported with its position.

import { readUpstreams, type UpstreamConfig } from "@assay/adapters-openai";
import { textOfFile } from "../files/input-file.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { EXIT, Failure } from "../terminal/failure.ts";

/** The upstreams in the file at `path`, empty without one. Throws a `Failure` that names every invalid line. */
export async function readUpstreamsFile(
  context: CliContext,
  path: string | undefined,
): Promise<readonly UpstreamConfig[]> {
  if (path === undefined) return [];
  const configs = readUpstreams(await textOfFile(context, path), context.env);
  if (configs.ok) return configs.value;
  throw new Failure(EXIT.usage, `${path}: ${configs.issues.map(({ message }) => message).join("; ")}`);
}

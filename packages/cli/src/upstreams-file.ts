// The file of engines, read when a server starts; every error is reported with its place.

import { readUpstreams, type UpstreamConfig } from "@assay/adapters-openai";
import { EXIT, Failure } from "./failure.ts";
import { textOfFile } from "./input-file.ts";
import type { World } from "./world.ts";

/** The upstreams in the file at `path`, empty without one. Throws a `Failure` that names every invalid line. */
export async function readUpstreamsFile(
  world: World,
  path: string | undefined,
): Promise<readonly UpstreamConfig[]> {
  if (path === undefined) return [];
  const configs = readUpstreams(await textOfFile(world, path), world.env);
  if (configs.ok) return configs.value;
  throw new Failure(EXIT.usage, `${path}: ${configs.issues.map(({ message }) => message).join("; ")}`);
}

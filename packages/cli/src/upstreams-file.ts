// The file that says which engines there are: read when a server starts, and wrong in every place that is named.

import { readFileSync } from "node:fs";
import { readUpstreams, type UpstreamConfig } from "@assay/adapters-openai";
import { EXIT, Failure } from "./failure.ts";

/** The upstreams in the file at `path`, none without one. Throws a `Failure` that names every line that is wrong. */
export function readUpstreamsFile(
  path: string | undefined,
  env: { readonly [name: string]: string | undefined },
): readonly UpstreamConfig[] {
  if (path === undefined) return [];
  const configs = readUpstreams(readFileSync(path, "utf8"), env);
  if (configs.ok) return configs.value;
  throw new Failure(EXIT.usage, `${path}: ${configs.issues.map(({ message }) => message).join("; ")}`);
}

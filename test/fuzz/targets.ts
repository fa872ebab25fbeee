// The registry of fuzz targets. To add one, add a file next to the tests of its package, and a line here.

import type { FuzzTarget } from "@assay/testing/fuzz-target";
import { directoriesTarget } from "../../packages/adapters-duckdb/test/fuzz-target.ts";
import { streamsTarget } from "../../packages/adapters-openai/test/fuzz-target.ts";
import { workersTarget } from "../../packages/adapters-worker/test/fuzz-target.ts";
import { importersTarget } from "../../packages/importers/test/fuzz-target.ts";
import { expressionsTarget } from "../../packages/query-lang/test/fuzz-target.ts";
import { routesTarget } from "../../packages/server/test/fuzz-target.ts";

/** Every target, in the order of their turns. */
export const TARGETS: readonly FuzzTarget[] = [
  importersTarget,
  expressionsTarget,
  streamsTarget,
  workersTarget,
  directoriesTarget,
  routesTarget,
];

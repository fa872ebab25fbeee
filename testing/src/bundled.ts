// Bundles test scripts that run as separate processes together with the sources of the packages. They start as fast as
// Node.js itself; tsx would first have to read a hundred files.

import { existsSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll } from "vitest";

const bundles = new Map<string, Promise<string>>();

/** The bundle of a script, available until the tests of the file have finished. */
export function bundled(script: string): Promise<string> {
  const known = bundles.get(script);
  if (known !== undefined) return known;
  // In the script's package, so that imports outside the bundle resolve.
  const outfile = join(
    packageOf(script),
    "node_modules/.cache/assay-testing",
    `${basename(script, ".ts")}-${process.pid}.mjs`,
  );
  const made = build({
    entryPoints: [script],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@assay/source"],
    external: ["@duckdb/node-api"],
    logLevel: "error",
  }).then(() => outfile);
  bundles.set(script, made);
  return made;
}

afterAll(async () => {
  for (const made of bundles.values()) rmSync(await made, { force: true });
  bundles.clear();
});

function packageOf(path: string): string {
  const folder = dirname(path);
  return existsSync(join(folder, "package.json")) ? folder : packageOf(folder);
}

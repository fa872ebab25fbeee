// Schemas are created on first use. This test finds a broken one before the first request that needs it.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { everySchema } from "@assay/base/internal";
import { openServer } from "@assay/server";
import { expect, test } from "vitest";
import "../src/settings/configuration.ts";
import { folder } from "./run-in-process.ts";

const PACKAGES = fileURLToPath(new URL("../..", import.meta.url));

/** The source files that create schemas, with their text. */
const MAKERS = readdirSync(PACKAGES)
  .flatMap((name) =>
    readdirSync(join(PACKAGES, name), { withFileTypes: true })
      .filter((entry) => entry.name === "src")
      .flatMap(() => readdirSync(join(PACKAGES, name, "src"), { recursive: true, encoding: "utf8" }))
      .filter((path) => path.endsWith(".ts"))
      .map((path) => join(PACKAGES, name, "src", path)),
  )
  .map((path) => ({ path, text: readFileSync(path, "utf8") }))
  .filter(({ text }) => /from "arktype"/.test(text));

test("a server opens without creating a schema, and every schema can be created", async () => {
  const server = await openServer({ directory: folder() });
  await server.close();
  expect(everySchema().filter(({ isMade }) => isMade())).toEqual([]);

  const lazy = MAKERS.flatMap(({ text }) => text.match(/= lazySchemas\(/g) ?? []);
  expect(everySchema()).toHaveLength(lazy.length);
  for (const schemas of everySchema()) schemas.make();
});

test("no module creates a schema while it is loaded", () => {
  expect(MAKERS.length).toBeGreaterThan(10);
  const eager = MAKERS.filter(({ text }) => /^(?:export )?(?:const .*= )?type[(.]/m.test(text));
  expect(eager.map(({ path }) => path)).toEqual([]);
});

// docs/reference/faults.md has every status of the OpenAPI document.

import { readFileSync } from "node:fs";
import { openServer } from "@assay/server";
import { expect, test } from "vitest";
import { folder } from "./run-in-process.ts";

test("every error status of the OpenAPI document is documented", async () => {
  const page = readFileSync(new URL("../../../docs/reference/faults.md", import.meta.url), "utf8");
  const known = [...page.matchAll(/^\| `(\d{3})` *\|/gm)].map(([, status]) => status!);
  const server = await openServer({ directory: folder(), page: false, bootstrapAccess: true });
  const answer = await server.handler(new Request("http://localhost/openapi.json"));
  await server.close();
  const { paths } = (await answer.json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
  };
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const statuses = new Set(operations.flatMap(({ responses }) => Object.keys(responses)));
  const refusals = [...statuses].filter((status) => status >= "4");
  expect(refusals.length).toBeGreaterThan(8);
  expect(refusals.filter((status) => !known.includes(status))).toEqual([]);
});

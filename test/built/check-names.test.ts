// How the built command reports unknown names, directly and through a server.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluationLines } from "@assay/testing/calls";
import { assay } from "@assay/testing/command";
import { startAssay } from "@assay/testing/server";
import { expect, onTestFinished, test } from "vitest";

const P = "acme/demo";
const BODY = {
  evaluation_call_ids: ["first", "secnd"],
  sort_by: [{ field: "scores.match.corect", direction: "asc" }],
  filters: [
    {
      evaluation_call_id: "frist",
      query: { $expr: { $eq: [{ $getField: "inputs.topic" }, { $literal: 1 }] } },
    },
  ],
};

test("an unknown project, evaluation, scope or field ends with 2 and the nearest names, also in a watch", async () => {
  const home = mkdtempSync(join(tmpdir(), "assay-missing-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const data = join(home, "data");
  const run = (args: readonly string[], stdin = "") => assay([...args, "--data", data], { stdin });
  const lines = [...evaluationLines("first", [true, false]), ...evaluationLines("second", [true], 1000)];
  expect((await run(["import", P, "-"], lines.join("\n"))).exitCode).toBe(0);

  const refuses = async (args: readonly string[], sentences: readonly string[], stdin?: string) => {
    const { exitCode, stdout, stderr } = await run(args, stdin);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).not.toMatch(/\n\s+at /);
    for (const sentence of sentences) expect(stderr).toContain(sentence);
  };
  const body = JSON.stringify(BODY);
  const inBody = [
    'has no evaluation "secnd"; did you mean second (run second)?',
    `"frist", which is not one of the query's evaluations; did you mean first?`,
    "no row has a value at scores.match.corect; did you mean scores.match.correct?",
    "no row has a value at inputs.topic",
  ];
  await refuses(["query", "acme/dmo"], ["no evaluations in acme/dmo", "did you mean acme/demo?"]);
  await refuses(
    ["export", P, "--evaluation", "frist", "--format", "csv"],
    ["did you mean first (run first)?"],
  );
  await refuses(["query", P, "-"], inBody, body);
  expect(await run(["query", P, "-", "--allow-missing"], body)).toMatchObject({ exitCode: 0, stderr: "" });

  const server = await startAssay(data);
  onTestFinished(() => server.stop("SIGTERM"));
  await refuses(["watch", P, "frist"], ["did you mean first (run first)?"]);
  await refuses(["query", "acme/dmo"], ["no evaluations in acme/dmo", "did you mean acme/demo?"]);
  await refuses(["query", P, "-"], inBody, body);
});

// Trained models from the command line, against a real server: listed, shown, named and deleted.

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { assay, folder } from "../world.ts";
import { serve } from "./served.ts";

const BUILT = fileURLToPath(new URL("../../bundle/assay.js", import.meta.url));

/** Runs the built command in a process of its own. */
function built(...args: readonly string[]) {
  return new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>(
    (resolve) => {
      const child = execFile(process.execPath, [BUILT, ...args], (_, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    },
  );
}

const MESSAGES = [
  { role: "user", content: "Peru?" },
  { role: "assistant", content: "Lima" },
];

test("models are listed and shown, their checkpoints named, and what a name holds is kept", async () => {
  const home = folder();
  const data = join(home, "data");
  await serve(data);
  const models = async (...args: readonly string[]) => {
    const { exitCode: code, ...said } = await assay(["models", ...args, "--data", data]);
    return { code, ...said };
  };
  const rows = join(home, "rows.jsonl");
  writeFileSync(rows, JSON.stringify({ messages: MESSAGES }));
  const training = ["train", "sft", "demo/facts", rows, "--base-model", "assay/tiny", "--data", data];
  for (let step = 1; step <= 2; step++) expect((await assay(training)).exitCode).toBe(0);

  const listed = JSON.parse((await built("models", "--data", data)).stdout);
  expect(listed).toMatchObject([{ entity: "default", project: "demo", name: "facts", step: 2 }]);
  const set = await models("alias", "demo/facts", "live", "--step", "1");
  expect(set).toMatchObject({ code: 0, stdout: "default/demo/facts:live means step 1\n" });
  const shown = JSON.parse((await models("show", "demo/facts")).stdout);
  expect(shown.aliases).toMatchObject([
    { alias: "latest", step: 2 },
    { alias: "live", step: 1 },
  ]);
  const [metric] = Object.keys(shown.checkpoints.at(-1).metrics);
  const best = await models("alias", "demo/facts", "best", "--metric", metric!, "--goal", "min");
  expect(best.stdout).toMatch(/^default\/demo\/facts:best \(min .+\) means step [12]\n$/);
  const table = await assay(["models", "show", "demo/facts", "--data", data], { columns: 100 });
  expect(table.stdout).toMatch(/^wandb-artifact:\/\/\/default\/demo\/facts on assay\/tiny\n/);
  expect(table.stdout).toMatch(/│ 1 +│ (best .+)?/);
  expect(table.stdout).toContain(metric);
  expect((await assay(["models", "--data", data], { columns: 100 })).stdout).toContain("default/demo/facts");

  const unsaid = await models("delete", "demo/facts");
  expect([unsaid.code, unsaid.stderr]).toEqual([2, expect.stringContaining("say --yes if it is meant")]);
  const held = await built("models", "delete", "demo/facts", "--step", "1", "--yes", "--data", data);
  expect([held.code, held.stderr]).toEqual([1, expect.stringContaining("the alias live holds step 1")]);
  for (const alias of ["live", "best"]) expect((await models("unalias", "demo/facts", alias)).code).toBe(0);
  expect((await models("unalias", "demo/facts", "live")).code).toBe(1);
  const some = await models("delete", "demo/facts", "--step", "1", "--step", "9", "--yes");
  expect([some.code, some.stdout]).toEqual([1, "deleted 1 checkpoint of default/demo/facts\n"]);
  expect(some.stderr).toContain("has no checkpoint of step 9");
  expect((await models("delete", "demo/facts", "--yes")).stdout).toContain(
    "deleted the model default/demo/facts",
  );
  expect((await models("show", "demo/facts")).stderr).toBe(
    "assay: there is no model demo/facts; assay models lists them\n",
  );
  expect((await models("alias", "demo/facts", "live")).stderr).toContain(
    "give --step NUMBER or --metric NAME",
  );
});

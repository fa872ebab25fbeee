// The training configuration, as the command reads it.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { assay, folder } from "../run-in-process.ts";

test("assay serve names the faults of the file, and does not start", async () => {
  const home = folder();
  const file = join(home, "training.yaml");
  writeFileSync(file, "trainers: [{type: gpu}]");
  const args = ["serve", "--data", join(home, "data"), "--port", "0", "--training"];
  const wrong = await assay([...args, file]);
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toContain("training.yaml: trainers.0.type: ");
  const missing = await assay([...args, join(home, "none.yaml")]);
  expect(missing.exitCode).toBe(1);
  expect(missing.stderr).toContain("none.yaml: no such file or directory");
});

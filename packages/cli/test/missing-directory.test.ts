// A missing data directory: commands that only read report it and create nothing, and those that write create it.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { assay, folder } from "./run-in-process.ts";

test.each([
  ["projects"],
  ["evaluations", "me/p"],
  ["query", "me/p"],
  ["query", "me/p", "a", "--allow-missing"],
  ["show", "me/p", "q1"],
  ["compare", "me/p"],
  ["watch", "me/p", "a"],
  ["export", "me/p"],
  ["scores", "me/p"],
  ["scores", "me/p", "loss", "--lower"],
  ["delete", "me/p", "--yes"],
  ["usage"],
  ["keys", "list"],
  ["keys", "revoke", "assay_12345678"],
])("%s %s %s", async (...args) => {
  const data = join(folder(), "typo");
  expect(await assay([...args, "--data", data])).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `assay: data directory not found: ${data}; assay import and assay serve create it, and --data names another\n`,
  });
  expect(existsSync(data)).toBe(false);
});

test("import creates it; a file needs none", async () => {
  const home = folder();
  const [file, data] = [join(home, "answers.csv"), join(home, "data")];
  writeFileSync(file, "id,model,correct\n1,A,yes\n1,B,no\n");
  expect(await assay(["query", file, "--data", data])).toMatchObject({ exitCode: 0 });
  expect(existsSync(data)).toBe(false);
  expect(await assay(["import", "me/p", file, "--data", data])).toMatchObject({ exitCode: 0 });
  expect(await assay(["projects", "--data", data])).toMatchObject({ exitCode: 0 });
});

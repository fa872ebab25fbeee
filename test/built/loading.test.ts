// The modules that a first query loads: special functions would take longer to load than the query takes.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ENGINE = new URL("../../packages/eval-engine/dist/index.js", import.meta.url);

test("an engine answers its first query without loading the special functions for statistics", () => {
  const program = `
    import { createRequire } from "node:module";
    import { fromTable } from ${JSON.stringify(ENGINE.href)};
    const columns = { evaluation: "model", row: "question", scores: ["correct"] };
    const table = fromTable([{ model: "a", question: "1", correct: true }], columns);
    const { total_rows } = await table.query({ sort: "Δcorrect" });
    // The cache lists CommonJS modules, which the special functions are.
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(JSON.stringify({ total_rows, special: loaded.filter((path) => path.includes("@stdlib")).length }));
  `;
  const options = { encoding: "utf8", cwd: fileURLToPath(new URL(".", ENGINE)) } as const;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], options);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({ total_rows: 1, special: 0 });
});

// `npm run demo:loop`: starts a server on a data directory, runs the loop against it, and prints the comparison.
//
// npm run demo:loop -- --data DIR --rounds N     (default: a temporary directory, 10 rounds)

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runLoop } from "./loop.ts";
import { startServer } from "./server.ts";

const { values } = parseArgs({
  options: { data: { type: "string" }, rounds: { type: "string", default: "10" } },
});
const scratch = mkdtempSync(join(tmpdir(), "assay-loop-"));
const data = values.data ?? join(scratch, "data");
const assay = fileURLToPath(new URL("../../packages/cli/bundle/assay.js", import.meta.url));

const server = await startServer([assay], data);
try {
  const begun = performance.now();
  const rounds = Number(values.rounds);
  const { project, query, correct } = await runLoop({
    url: server.url,
    rounds,
    say: console.log,
  });
  const body = join(scratch, "query.json");
  writeFileSync(body, JSON.stringify(query));
  console.log(`\n${project}: base, fine-tuned and reinforced, on held-out numbers
`);
  const shown = spawn(
    process.execPath,
    [assay, "query", project, body, "--format", "table", "--data", data],
    {
      stdio: "inherit",
    },
  );
  await once(shown, "exit");
  const percent = (rate: number) => `${Math.round(100 * rate)}%`;
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(
    `
correct: base ${percent(correct.base)}, SFT ${percent(correct.sft)}, RL ${percent(correct.rl)}; ${seconds} s in total`,
  );
  if (values.data !== undefined) console.log(`saved in ${data}; to serve it: assay serve --data ${data}`);
} finally {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
}

// `npm run demo:loop`: installs and builds what is missing, then runs the whole loop of training and evaluation.
// Options are passed on to it: `npm run demo:loop -- --rounds 20`.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
await import("./setup.mjs");
const main = join(root, "examples/training-loop/main.ts");
const { status } = spawnSync(process.execPath, ["--import", "tsx", main, ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;

// `npm run bench`: builds the product, installs what only benchmarks need when it is missing, and runs them.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

await import("./setup.mjs");

const bench = join(dirname(dirname(fileURLToPath(import.meta.url))), "bench");

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: bench, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

// pnpm keeps the lockfile that was last installed: the same one means there is nothing to do.
const installed = join(bench, "node_modules/.pnpm/lock.yaml");
const locked = join(bench, "pnpm-lock.yaml");
if (!existsSync(installed) || readFileSync(installed, "utf8") !== readFileSync(locked, "utf8")) {
  console.error("bench: installing the engines to compare with (once, 700 MB)");
  const { packageManager } = JSON.parse(readFileSync(join(bench, "package.json"), "utf8"));
  run("npx", ["--yes", packageManager, "install", "--frozen-lockfile", "--reporter=append-only"]);
}
run(process.execPath, ["--import", "tsx", "main.ts", ...process.argv.slice(2)]);

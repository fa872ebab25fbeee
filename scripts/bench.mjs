// `npm run bench`: builds the product, installs the dependencies of the benchmarks if they are missing, and runs them.
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

// pnpm keeps a copy of the lockfile that it installed last. If it equals ours, everything is installed.
const installed = join(bench, "node_modules/.pnpm/lock.yaml");
const locked = join(bench, "pnpm-lock.yaml");
if (!existsSync(installed) || readFileSync(installed, "utf8") !== readFileSync(locked, "utf8")) {
  console.error("bench: installing the other engines (once, 700 MB)");
  const { packageManager } = JSON.parse(readFileSync(join(bench, "package.json"), "utf8"));
  run("npx", ["--yes", packageManager, "install", "--frozen-lockfile", "--reporter=append-only"]);
}
run(process.execPath, ["--import", "tsx", "main.ts", ...process.argv.slice(2)]);

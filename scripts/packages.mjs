// Runs a check over every public package: `api` (API reports of every entry point, `--update` writes them), `shape` (exports map and types of the tarball).
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(root, "node_modules/.bin", name);
const [check, flag] = process.argv.slice(2);

function run(command, args, cwd) {
  // On Windows the commands are batch files, which only a shell can start.
  const child = spawn(command, args, {
    cwd,
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (piece) => {
      output += piece;
    });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ good: status === 0, output }));
  });
}

const checks = {
  api: (dir) => {
    // One configuration for each entry point: api-extractor.json, and api-extractor.laws.json for `./laws`.
    const configs = readdirSync(dir).filter((file) => /^api-extractor\.(?:[\w-]+\.)?json$/.test(file));
    if (configs.length > 0) mkdirSync(join(dir, "etc"), { recursive: true });
    const local = flag === "--update" ? ["--local"] : [];
    return configs.map((file) => [bin("api-extractor"), ["run", "--config", file, ...local]]);
  },
  shape: () => [
    [bin("publint"), ["--strict", "--pack", "npm"]],
    [bin("attw"), ["--pack", ".", "--profile", "esm-only", "--no-emoji", "--no-color"]],
  ],
};
if (checks[check] === undefined) {
  console.error("usage: packages.mjs api [--update] | shape");
  process.exit(2);
}

const names = readdirSync(join(root, "packages")).sort();
let failed = 0;
// One package for each core; of a package one check after another, as each packs a tarball of the same name.
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) await checkPackage(name);
  }),
);
process.exit(failed === 0 ? 0 : 1);

async function checkPackage(name) {
  const dir = join(root, "packages", name);
  if (!existsSync(join(dir, "package.json"))) return;
  // A package without an entry point is a program: there is no shape to check.
  if (JSON.parse(readFileSync(join(dir, "package.json"), "utf8")).exports === undefined) return;
  for (const [command, args] of checks[check](dir)) {
    const { good, output } = await run(command, args, dir);
    console.log(`${good ? "ok  " : "FAIL"} ${check} ${name}`);
    if (!good) {
      failed++;
      console.log(output);
    }
  }
}

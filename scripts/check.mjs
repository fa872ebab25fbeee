// `npm run check`: runs all checks other than tests, two at a time. Prints one line for each check that passes, and the
// whole output of each that fails. With `--packed`, as in .ci/run, it also installs and uses the tarballs whose shape
// it checks.
import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({ options: { packed: { type: "boolean", default: false } } });
const AT_A_TIME = 2;

/** Scripts of package.json, the slowest first. */
const waiting = [
  values.packed ? ["packed", "--shape", "--runtimes"] : ["shape"],
  ["types"],
  ["api"],
  ["lint"],
  ["phrases"],
  ["unused"],
  ["openapi"],
];

async function run([name, ...flags]) {
  const started = performance.now();
  // On Windows, npm is a batch file and needs a shell.
  const child = spawn("npm", ["run", "--silent", name, ...(flags.length > 0 ? ["--", ...flags] : [])], {
    cwd: root,
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (piece) => {
      output += piece;
    });
  const status = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${[name, ...flags].join(" ")}, ${seconds} s`);
  if (status === 0) return;
  process.exitCode = 1;
  console.log(output);
}

await Promise.all(
  Array.from({ length: AT_A_TIME }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next);
  }),
);

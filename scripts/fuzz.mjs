// `npm run fuzz`: sends random, malformed and hostile input to every parser of external input, for the given time. Each
// round is a separate process with a bounded heap, so that a crash, a hang or a memory leak counts as a finding. Stops
// a target at its first finding, prints how to repeat it, and exits with 1 if there were findings.
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const RUN = ["--import", "tsx", "--conditions=@assay/source", join(root, "test/fuzz/run.ts")];
const ROUND_MS = 30_000;
// Linux counts CPU time in hundredths of a second.
const MS_OF_TICK = 10;
/** The limit on wall time for an input, as a multiple of its limit on CPU time. */
const WAITS = 10;
const MOST_RUNS = 1_000_000_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string" },
    path: { type: "string" },
    help: { type: "boolean" },
  },
});
const scratch = mkdtempSync(join(tmpdir(), "assay-fuzz-"));
try {
  process.exitCode = await main();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function main() {
  const targets = JSON.parse((await started(["list"], {})).stdout);
  const minutes = Number(values.minutes);
  const unknown = positionals.filter((name) => !targets.some((target) => target.name === name));
  if (values.help || unknown.length > 0 || !(minutes > 0)) {
    if (unknown.length > 0) console.error(`unknown target ${unknown.join(", ")}\n`);
    console.error(usage(targets));
    return values.help ? 0 : 2;
  }
  const wanted = targets.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const deadline = Date.now() + minutes * 60_000;
  const counts = new Map(wanted.map(({ name }) => [name, 0]));
  const findings = [];
  let seed = Number(values.seed ?? randomInt(2 ** 31 - 1));
  for (let first = true; Date.now() < deadline || first; first = false) {
    for (const target of wanted) {
      if (findings.some(({ name }) => name === target.name)) continue;
      const milliseconds = Math.max(1000, Math.min(ROUND_MS, deadline - Date.now()));
      const { inputs, finding } = await round(target, seed, milliseconds);
      counts.set(target.name, counts.get(target.name) + inputs);
      if (finding === undefined) continue;
      findings.push(target);
      console.log(`${target.name}: ${finding}\nto repeat: npm run fuzz -- ${target.name} --seed ${seed}`);
    }
    seed++;
    if (findings.length === wanted.length || values.path !== undefined) break;
  }
  for (const [name, inputs] of counts) console.log(`${name}: ${inputs} inputs`);
  return findings.length > 0 ? 1 : 0;
}

/** Runs one round of a target: the number of inputs, and the finding if there is one. */
async function round({ name, patience, memory }, seed, milliseconds) {
  const at = join(scratch, "at");
  // The last input of the previous round would start the timer while this one still loads its program.
  rmSync(at, { force: true });
  const args = [name, seed, MOST_RUNS, milliseconds, values.path ?? "-"].map(String);
  const { code, signal, stdout, stderr, hung } = await started(args, { at, patience, memory });
  const where = () => `input ${readAt(at).trim()} of seed ${seed}`;
  const last = stdout.trim().split("\n").at(-1);
  if (hung) return { inputs: 0, finding: `${where()} takes longer than ${patience} ms` };
  if (last === "" || (code !== 0 && code !== 1))
    return { inputs: 0, finding: `${where()} ended the process (${signal ?? code}): ${stderr.slice(-2000)}` };
  const { inputs = 0, path, error, counterexample } = JSON.parse(last);
  if (code === 0) return { inputs };
  return { inputs: 0, finding: `${error}\ninput (--path ${path}): ${counterexample}` };
}

/** Runs a round to its end, or kills it if one input takes too long. */
function started(args, { at, patience, memory = 4096 }) {
  const child = spawn(process.execPath, [`--max-old-space-size=${memory}`, ...RUN, ...args], {
    cwd: root,
    env: { ...process.env, ...(at !== undefined && { ASSAY_FUZZ_AT: at }) },
  });
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"])
    child[name].setEncoding("utf8").on("data", (piece) => {
      text[name] = (text[name] + piece).slice(-100_000);
    });
  let [seen, since, hung] = ["", spent(child.pid), false];
  const watch = setInterval(() => {
    const now = at === undefined ? "" : readAt(at);
    const { wall, processor } = spent(child.pid);
    // Loading the program before the first input does not count.
    if (now !== seen || now === "") [seen, since] = [now, { wall, processor }];
    // CPU time, because the machine may be busy; or a long wall time for inputs that only wait.
    else if (processor - since.processor > patience || wall - since.wall > patience * WAITS) {
      hung = true;
      child.kill("SIGKILL");
    }
  }, 250);
  return new Promise((resolve) => {
    child.once("close", (code, signal) => {
      clearInterval(watch);
      resolve({ ...text, code, signal, hung });
    });
  });
}

/** The current wall time, and the CPU time of a process if the system reports it, in milliseconds. */
function spent(pid) {
  const wall = Date.now();
  const fields = readAt(`/proc/${pid}/stat`).split(") ")[1]?.split(" ");
  const ticks = fields === undefined ? Number.NaN : Number(fields[11]) + Number(fields[12]);
  return { wall, processor: Number.isNaN(ticks) ? wall : ticks * MS_OF_TICK };
}

function readAt(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function usage(targets) {
  const width = Math.max(...targets.map(({ name }) => name.length));
  return `npm run fuzz -- [--minutes N] [--seed N [--path P]] [target…]

  --minutes N   how long to run (default 10), in rounds of half a minute with a new seed each
  --seed N      first seed (default random)
  --path P      run only one input of the seed, as reported by a finding

${targets.map(({ name, what }) => `  ${name.padEnd(width)}   ${what}`).join("\n")}`;
}

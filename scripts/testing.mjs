// npm run testing: runs one part of every promise in turn, or of the given ones, for at most 10 minutes each. It saves
// the figures of each part in testing.json as soon as they are available and writes TESTING.md from them. After an
// interruption it continues with the promises that have the fewest parts, and skips those that are complete. If a
// promise is broken, it saves nothing of that part, continues with the others, and exits with 1.
//   npm run testing -- [promise…] [--minutes N] [--seed N] [--passes N]
//   npm run testing -- --again      discards existing parts and starts over
//   npm run testing -- --write      only writes TESTING.md from the saved figures
import { spawn, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { PROMISES } from "./promises.mjs";
import { added, shareOf, testingPage } from "./testing-page.mjs";

/** How many minutes a part may run over its limit before it is stopped. */
const GRACE = 2;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const keptIn = join(root, "testing.json");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string" },
    passes: { type: "string", default: "1" },
    again: { type: "boolean" },
    write: { type: "boolean" },
  },
});
const [minutes, passes] = [Number(values.minutes), Number(values.passes)];
const unknown = positionals.filter((id) => !PROMISES.some((one) => one.id === id));
if (unknown.length > 0 || !(minutes > 0) || !(passes > 0)) {
  if (unknown.length > 0) console.error(`unknown promise ${unknown.join(", ")}`);
  console.error("npm run testing -- [promise…] [--minutes N] [--seed N] [--passes N] [--again] [--write]");
  console.error(`promises: ${PROMISES.map(({ id }) => id).join(", ")}`);
  process.exit(2);
}

const kept = JSON.parse(readFileSync(keptIn, "utf8"));
const save = () => {
  writeFileSync(keptIn, `${JSON.stringify(kept, null, 2)}\n`);
  writeFileSync(join(root, "TESTING.md"), testingPage(PROMISES, kept));
};
const wanted = PROMISES.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
if (values.again) for (const { id } of wanted) delete kept[id];
const partsOf = ({ id }) => kept[id] ?? [];
const broken = new Set();
for (let pass = 0; pass < passes && !values.write; pass++) {
  const open = wanted.filter((one) => shareOf(one, partsOf(one)) < 1 && !broken.has(one));
  if (open.length === 0) {
    console.log(`all parts are done: ${wanted.map(({ id }) => id).join(", ")}`);
    break;
  }
  // After an interrupted pass, some promises have one part less: this pass runs only those.
  const fewest = Math.min(...open.map((one) => partsOf(one).length));
  for (const promise of open.filter((one) => partsOf(one).length === fewest)) {
    const part = await run(promise, fewest);
    if (part === undefined) {
      console.error(`\n${promise.id} is broken: ${promise.promise}`);
      broken.add(promise);
      continue;
    }
    kept[promise.id] = [...partsOf(promise), part];
    save();
    // Fewer parts than the target are too few to judge the promise.
    if (shareOf(promise, partsOf(promise)) < 1) continue;
    if (promise.holds?.(added(promise, partsOf(promise))) !== false) continue;
    console.error(`\n${promise.id} is broken: ${promise.promise}`);
    broken.add(promise);
  }
}
save();
if (broken.size > 0) process.exitCode = 1;

/**
 * Runs one part of a promise. Returns what to save, or undefined if the promise is broken or the command does not end
 * in time.
 */
async function run({ id, command, counts, most }, part) {
  const seed = Number(values.seed ?? randomInt(2 ** 31 - 1));
  const asked = command({ seed, minutes, part });
  console.log(`\n${id}, part ${part + 1}: ${asked}`);
  const begun = Date.now();
  const [program, ...args] = asked.split(" ");
  const isPosix = process.platform !== "win32";
  // A process group, so that a timeout or an interruption ends all of its processes.
  const child = spawn(program, args, {
    cwd: root,
    shell: !isPosix,
    detached: isPosix,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = () => (isPosix ? process.kill(-child.pid, "SIGTERM") : child.kill());
  const brokenOff = () => {
    end();
    process.exit(130);
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, brokenOff);
  const tooLong = setTimeout(
    () => {
      console.error(`${id} takes longer than ${minutes + GRACE} minutes`);
      end();
    },
    (minutes + GRACE) * 60_000,
  );
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (piece) => {
    process.stdout.write(piece);
    output += piece;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  clearTimeout(tooLong);
  for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, brokenOff);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal are escapes.
  const plain = output.replaceAll(/\u001b\[[\d;]*m/g, "");
  const found = [...plain.matchAll(counts)].map(({ groups }) => ({ counts: numbersOf(groups) }));
  if (code !== 0 || found.length === 0) return undefined;
  const { parts: _, ...sums } = added({ most }, found);
  return {
    part: part + 1,
    counts: sums,
    ...(asked.includes(String(seed)) && { seed }),
    minutes: Math.round((Date.now() - begun) / 6000) / 10,
    commit: spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).stdout.trim(),
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} cores, Node.js ${process.versions.node}`,
  };
}

function numbersOf(groups) {
  return Object.fromEntries(
    Object.entries(groups).map(([name, digits]) => [name, Number(digits.replaceAll(",", ""))]),
  );
}

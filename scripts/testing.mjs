// npm run testing: tests every promise in turn, or those that are named, a part of at most so many minutes each. The figures of
// a part are kept in testing.json as soon as they are there, and TESTING.md is written from them: broken off, it goes on
// with those that have the fewest parts. What has all its parts is left out. A promise that is broken ends it with 1, after
// the others had their turn; nothing is kept of its part.
//   npm run testing -- [promise…] [--minutes N] [--seed N] [--passes N]
//   npm run testing -- --again      as if no part had been done: existing parts are thrown away
//   npm run testing -- --write      only writes TESTING.md from the existing figures
import { spawn, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { PROMISES } from "./promises.mjs";
import { added, shareOf, testingPage } from "./testing-page.mjs";

/** More than it was given a part may take to come to its end, in minutes. */
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
    console.log(`every part is done of ${wanted.map(({ id }) => id).join(", ")}`);
    break;
  }
  // A pass that was broken off left the others with a part less: they come first, and this pass ends with them.
  const fewest = Math.min(...open.map((one) => partsOf(one).length));
  for (const promise of open.filter((one) => partsOf(one).length === fewest)) {
    const part = await run(promise, fewest);
    if (part === undefined) {
      console.error(`\n${promise.id} is not kept: ${promise.promise}`);
      broken.add(promise);
      continue;
    }
    kept[promise.id] = [...partsOf(promise), part];
    save();
    // Parts that are not all of a promise are too few to say it of the whole.
    if (shareOf(promise, partsOf(promise)) < 1) continue;
    if (promise.holds?.(added(promise, partsOf(promise))) !== false) continue;
    console.error(`\n${promise.id} does not hold: ${promise.promise}`);
    broken.add(promise);
  }
}
save();
if (broken.size > 0) process.exitCode = 1;

/** Runs one part of a promise; what is worth keeping, or undefined when it is broken, or has no end. */
async function run({ id, command, counts, most }, part) {
  const seed = Number(values.seed ?? randomInt(2 ** 31 - 1));
  const asked = command({ seed, minutes, part });
  console.log(`\n${id}, part ${part + 1}: ${asked}`);
  const begun = Date.now();
  const [program, ...args] = asked.split(" ");
  const isPosix = process.platform !== "win32";
  // Its own group, so that all of it ends when its time is over, or this does.
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

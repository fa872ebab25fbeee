// npm run testing: runs the long form of each promise, or of those that are named, keeps the figures in testing.json and
// writes TESTING.md. Stops at a promise that is broken, and keeps nothing of it.
//   npm run testing -- [promise…] [--seed N]
//   npm run testing -- --write      only writes TESTING.md from the figures that are there
import { spawn, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { PROMISES } from "./promises.mjs";
import { testingPage } from "./testing-page.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const figuresFile = join(root, "testing.json");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" }, write: { type: "boolean" } },
});
const unknown = positionals.filter((id) => !PROMISES.some((one) => one.id === id));
if (unknown.length > 0) {
  console.error(
    `there is no promise ${unknown.join(", ")}; there is ${PROMISES.map(({ id }) => id).join(", ")}`,
  );
  process.exit(2);
}

const figures = JSON.parse(readFileSync(figuresFile, "utf8"));
if (!values.write) {
  const wanted = PROMISES.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
  for (const promise of wanted) {
    const kept = await run(promise);
    if (kept === undefined) {
      console.error(`\n${promise.id} is broken: ${promise.promise}`);
      process.exitCode = 1;
      break;
    }
    figures[promise.id] = kept;
    writeFileSync(figuresFile, `${JSON.stringify(figures, null, 2)}\n`);
  }
}
writeFileSync(join(root, "TESTING.md"), testingPage(PROMISES, figures));

/** Runs the long form of a promise; what is worth keeping, or undefined when it is broken. */
async function run({ id, command, figure, shown }) {
  const seed = Number(values.seed ?? randomInt(2 ** 31 - 1));
  const asked = command.replace("SEED", String(seed));
  console.log(`\n${id}: ${asked}`);
  const begun = Date.now();
  const [program, ...args] = asked.split(" ");
  const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (piece) => {
    process.stdout.write(piece);
    output = (output + piece).slice(-200_000);
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal are escapes.
  const plain = output.replaceAll(/\u001b\[[\d;]*m/g, "");
  const found = [...plain.matchAll(figure)].at(-1);
  if (code !== 0 || found === undefined) return undefined;
  return {
    figure: shown.replaceAll(/\$(\d)/g, (_, place) => found[Number(place)]),
    ...(command.includes("SEED") && { seed }),
    minutes: Math.round((Date.now() - begun) / 6000) / 10,
    commit: spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).stdout.trim(),
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} cores, Node.js ${process.versions.node}`,
  };
}

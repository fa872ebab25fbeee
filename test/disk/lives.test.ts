// Crash recovery: many short lives of processes with data directories, each killed with SIGKILL while it opens or
// checks a directory, or while it writes calls, runs, files, models, collections, keys and usage concurrently. In the
// next life, acknowledged writes are present without repair; others are complete or absent. life.mjs runs one such
// life, with the built packages.
//
// `npm run testing -- lives` kills 2,000 processes with five directories each: ten thousand kills of directories.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { cases } from "@assay/testing/cases";
import { seeded } from "@assay/testing/seeded";
import { expect, onTestFinished, test } from "vitest";

const LIVES = cases(6);
const SEED = Number(process.env["ASSAY_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** Concurrent processes, each with its own directories. */
const AT_ONCE = 2;
const DIRECTORIES = 5;
/** The number of lives before new directories are used, so that opening takes about the same time for all. */
const GENERATION = 20;
/** The maximum milliseconds that a process lives from the moment it may be killed. */
const LONGEST_LIFE = 250;

/** The number of writes of a kind that one life started, and of those that were acknowledged. */
interface Written {
  started: number;
  acknowledged: number;
}

/** The writes of one life to one directory. */
interface Account {
  readonly life: number;
  readonly kinds: Record<string, Written>;
}

/** Counters for the printed result. */
const counts = { kills: 0, whileOpening: 0, acknowledged: 0, checked: 0 };

test(`acknowledged writes survive ${LIVES} kills with ${DIRECTORIES} directories, complete (seed ${SEED})`, {
  timeout: 600_000 + LIVES * 10_000,
}, async () => {
  const share = Math.ceil(LIVES / AT_ONCE);
  await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => lives(share, seeded(SEED + lane))));
  // Guards against lives that write nothing and are never checked.
  expect(counts.checked).toBeGreaterThan(0);
  expect(counts.acknowledged).toBeGreaterThan(0);
  console.log(
    `${counts.kills} kills of ${DIRECTORIES} directories, ${counts.whileOpening} of them while they were opened or checked: ` +
      `${counts.acknowledged} writes acknowledged, none lost`,
  );
});

async function lives(share: number, random: () => number): Promise<void> {
  let home: string | undefined;
  const remove = () => home !== undefined && rmSync(home, { recursive: true, force: true });
  onTestFinished(() => void remove());
  let accounts: Account[][] = [];
  for (let life = 0; life < share; life++) {
    if (life % GENERATION === 0) {
      remove();
      home = mkdtempSync(join(tmpdir(), "assay-lives-"));
      accounts = Array.from({ length: DIRECTORIES }, () => []);
    }
    const directories = accounts.map((_, place) => join(home!, String(place)));
    await oneLife(directories, life, accounts, random);
  }
}

/** Runs one life, and records in `accounts` what it wrote. */
async function oneLife(
  directories: readonly string[],
  life: number,
  accounts: Account[][],
  random: () => number,
): Promise<void> {
  const script = fileURLToPath(new URL("./life.mjs", import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "pipe"] });
  // The last life of a generation checks all earlier lives of the generation.
  const isLast = life % GENERATION === GENERATION - 1;
  const given = accounts.map((some) => (isLast ? some : some.slice(-2)));
  child.stdin.end(JSON.stringify([directories, life, given]));
  let stderr = "";
  child.stderr.on("data", (piece: Buffer) => {
    stderr += piece;
  });

  const written = accounts.map((): Account => ({ life, kinds: {} }));
  // The first life of a generation is killed only after it has written something, even in short runs.
  const isFirst = life % GENERATION === 0;
  const isEarly = !isFirst && !isLast && random() < 0.25;
  const lifetime = random() * LONGEST_LIFE;
  let isKilled = false;
  let openDirectories = 0;
  let acknowledged = 0;
  const kill = () =>
    setTimeout(() => {
      isKilled = child.kill("SIGKILL");
    }, lifetime);
  const reports: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, place, ...rest] = line.split(" ");
    if (word === "awake" && isEarly) kill();
    if (word === "reported") reports.push(rest.join(" "));
    if (word === "checked" && ++openDirectories === directories.length && !isEarly && !isFirst) kill();
    if (word !== "started" && word !== "acknowledged") continue;
    const { kinds } = written[Number(place)]!;
    kinds[rest[0]!] ??= { started: 0, acknowledged: 0 };
    kinds[rest[0]!]![word]++;
    if (word === "acknowledged" && ++acknowledged === 1 && isFirst) kill();
  }
  expect(stderr).toBe("");
  expect(isKilled).toBe(true);
  // A kill is not damage: nothing is repaired or reported.
  expect(reports).toEqual([]);
  counts.kills++;
  if (openDirectories < directories.length) counts.whileOpening++;
  counts.checked += openDirectories;
  counts.acknowledged += acknowledged;
  accounts.forEach((some, place) => void some.push(written[place]!));
}

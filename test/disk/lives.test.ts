// Many short lives of processes that hold data directories, each ended by SIGKILL: while they open them, check what is there, or write
// calls, runs, files, models, collections, keys and usage at once. What was acknowledged is there in the next life, without
// repair, and what was not is there wholly or not at all. life.mjs is such a life, over the built packages.
//
// `npm run testing -- lives` ends 2,000 processes with five directories each: directories are killed ten thousand times.

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
/** Processes at a time, each with directories of its own. */
const AT_ONCE = 2;
const DIRECTORIES = 5;
/** Lives after which directories begin anew, so that opening takes as long for the last as for the first. */
const GENERATION = 20;
/** Milliseconds from the moment it may be killed within which a process is. */
const LONGEST_LIFE = 250;

/** How many writes of a kind one life began, and how many of them were acknowledged. */
interface Written {
  begun: number;
  acknowledged: number;
}

/** What one life wrote to one directory. */
interface Account {
  readonly life: number;
  readonly kinds: Record<string, Written>;
}

/** How often what happened, for the figure. */
const counts = { kills: 0, whileOpening: 0, acknowledged: 0, checked: 0 };

test(`after kill -9, ${LIVES} times ${DIRECTORIES} directories: all that was acknowledged, wholly (seed ${SEED})`, {
  timeout: 600_000 + LIVES * 10_000,
}, async () => {
  const share = Math.ceil(LIVES / AT_ONCE);
  await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => lives(share, seeded(SEED + lane))));
  // Lives that wrote nothing, or that nobody looked at, would pass all of the above.
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

/** Lives once, and writes down in `accounts` what was checked and what was written. */
async function oneLife(
  directories: readonly string[],
  life: number,
  accounts: Account[][],
  random: () => number,
): Promise<void> {
  const script = fileURLToPath(new URL("./life.mjs", import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "pipe"] });
  // The last life of a generation looks at all that was written in it.
  const isLast = life % GENERATION === GENERATION - 1;
  const given = accounts.map((some) => (isLast ? some : some.slice(-2)));
  child.stdin.end(JSON.stringify([directories, life, given]));
  let complaints = "";
  child.stderr.on("data", (piece: Buffer) => {
    complaints += piece;
  });

  const written = accounts.map((): Account => ({ life, kinds: {} }));
  // Each generation's first life has written something when it is killed, however few lives there are.
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
  const told: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, place, ...rest] = line.split(" ");
    if (word === "awake" && isEarly) kill();
    if (word === "told") told.push(rest.join(" "));
    if (word === "checked" && ++openDirectories === directories.length && !isEarly && !isFirst) kill();
    if (word !== "begun" && word !== "acknowledged") continue;
    const { kinds } = written[Number(place)]!;
    kinds[rest[0]!] ??= { begun: 0, acknowledged: 0 };
    kinds[rest[0]!]![word]++;
    if (word === "acknowledged" && ++acknowledged === 1 && isFirst) kill();
  }
  expect(complaints).toBe("");
  expect(isKilled).toBe(true);
  // A kill is no damage: nothing is repaired, and there is nothing to tell.
  expect(told).toEqual([]);
  counts.kills++;
  if (openDirectories < directories.length) counts.whileOpening++;
  counts.checked += openDirectories;
  counts.acknowledged += acknowledged;
  accounts.forEach((some, place) => void some.push(written[place]!));
}

// How fast is the page for its user: until the first paint, until the rows are painted, and from a gesture until its
// effects are painted? Measured in Chromium with the built server in a separate process; in the same run and by the
// same rules also for promptfoo's viewer over the same rows.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { addressOf } from "../testing/src/spawn.mjs";
import type { Dataset } from "./dataset.ts";
import { timingOf } from "./interleave.ts";
import type { Measurement, Unit } from "./measurement.ts";
import { type Arrival, type Looked, startBrowser, type Watched, watchedPage } from "./page/painted.ts";
import { promptfooViewer } from "./page/promptfoo.ts";
import { program, progress, sizeName } from "./program.ts";
import { synthetic } from "./synthetic.ts";
import { ASSAY, PAGE } from "./targets.ts";

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const COMMAND = join(here, "../packages/cli/bundle/assay.js");
const PROMPTFOO = "promptfoo view";

const OURS: Looked = {
  row: ".grid .row:not(.waiting)",
  within: ".verdict, .grid-box, .toolbar",
  busy: ".busy.on, .grid-box.slow",
  answer: "/eval_results/page",
};
/** Filter by "worse" on and off, change the order, focus other scores, swap baseline and candidate twice. */
const KEYS = ["w", "w", "s", "s", "s", "s", "2", "1", "b", "b"] as const;

const FILES = [
  { rows: 10_000, size: PAGE.fileSize, opened: PAGE.fileOpened, gesture: PAGE.fileGesture },
  {
    rows: 100_000,
    size: PAGE.largeFileSize,
    opened: PAGE.largeFileOpened,
    gesture: PAGE.largeFileGesture,
  },
];

const THEIRS: Looked = {
  row: ".results-table tbody tr",
  within: ".results-table",
  busy: ".nothing-is",
  answer: "/table?",
};
/** The viewer's filter buttons. */
const BUTTONS = ["Failures", "Passes", "Different", "All"] as const;

type Add = (workload: string, contender: string, unit: Unit, values: readonly number[]) => void;

await program(async ({ rows, effort }) => {
  const dataset = synthetic({ rows });
  const scratch = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const turns = effort.rounds >= 10 ? 30 : 5;
  const browser = await startBrowser();
  const measurements: Measurement[] = [];
  const add: Add = (workload, contender, unit, values) =>
    measurements.push({ data: sizeName(rows), workload, contender, unit, ...timingOf(values) });
  try {
    progress(`loading ${dataset.name}`);
    const data = join(scratch, "data");
    await load(dataset, data);
    await measurePage(browser, dataset, { data, turns, add });
    add(PAGE.script, ASSAY, "KB", [firstViewBytes() / 1000]);
    await measureFiles(browser, dataset, { data, turns: 5, add });
    await measurePromptfoo(browser, dataset, { data: scratch, turns: Math.min(5, turns), add });
  } finally {
    await browser.close();
    rmSync(scratch, { recursive: true, force: true });
  }
  return measurements;
});

interface Measuring {
  readonly data: string;
  readonly turns: number;
  readonly add: Add;
}

/** Imports the calls and rows into a data directory. */
async function load(dataset: Dataset, directory: string): Promise<void> {
  const [calls, rows] = [`${directory}-calls.jsonl`, `${directory}-rows.jsonl`];
  const callLines = function* (): Generator<string> {
    for (const e of dataset.evaluations.keys()) for (const line of dataset.lines(e)) yield `${line}\n`;
  };
  const rowLines = function* (): Generator<string> {
    for (const row of dataset.rows()) yield `${JSON.stringify(row)}\n`;
  };
  await pipeline(Readable.from(callLines()), createWriteStream(calls));
  await pipeline(Readable.from(rowLines()), createWriteStream(rows));
  const args = [COMMAND, "import", dataset.project, calls, "--rows", rows, "--data", directory];
  await run(process.execPath, args, { maxBuffer: 2 ** 26 });
  rmSync(calls);
  rmSync(rows);
}

/** Opens the page several times with warm caches, and makes ten gestures in each turn. */
async function measurePage(
  browser: Browser,
  dataset: Dataset,
  { data, turns, add }: Measuring,
): Promise<void> {
  const server = spawn(process.execPath, [COMMAND, "serve", "--data", data, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const address = `${await addressOf(server)}/#/${dataset.project}/compare`;
    const watched = await watchedPage(browser, OURS);
    progress("the first look after the import, which builds all columns, and the first turn of gestures");
    const [first] = await arrivals(watched, address, 1);
    add("page: rows painted, first look after an import", ASSAY, "ms", [first!.rows]);
    await pressed(watched, 1);
    progress("opening the page");
    const arrived = await arrivals(watched, address, turns);
    add(
      PAGE.paint,
      ASSAY,
      "ms",
      arrived.map(({ paint }) => paint),
    );
    add(
      PAGE.rows,
      ASSAY,
      "ms",
      arrived.map(({ rows }) => rows),
    );
    progress("gestures");
    const gestures = await pressed(watched, turns);
    for (const [key, times] of gestures) add(`page: gesture ${key}`, ASSAY, "ms", times);
    const all = [...gestures.values()].flat();
    add(PAGE.gesture, ASSAY, "ms", all);
    add(PAGE.slow, ASSAY, "ms", [share(all, 0.95)]);
    const { nodes, heapBytes, longestTask } = await watched.held();
    add(PAGE.nodes, ASSAY, "nodes", [nodes]);
    add("page: heap", ASSAY, "bytes", [heapBytes]);
    add(PAGE.task, ASSAY, "ms", [longestTask]);
    add(PAGE.late, ASSAY, "%", [100 * (await watched.lateFrames(".grid-box"))]);
    await watched.throttle(4);
    add(PAGE.throttled, ASSAY, "ms", [...(await pressed(watched, 2)).values()].flat());
    await watched.page.close();
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, "exit");
  }
}

async function arrivals(watched: Watched, address: string, turns: number): Promise<readonly Arrival[]> {
  const found: Arrival[] = [];
  for (let turn = 0; turn < turns; turn++) {
    found.push(await watched.arrive(address));
    await watched.page.locator(".verdict").waitFor();
    await watched.page.locator(OURS.busy).first().waitFor({ state: "detached" });
  }
  return found;
}

async function pressed(watched: Watched, turns: number): Promise<ReadonlyMap<string, readonly number[]>> {
  const times = new Map<string, number[]>(KEYS.map((key) => [key, []]));
  for (let turn = 0; turn < turns; turn++)
    for (const key of KEYS)
      times.get(key)!.push(await watched.gesture(() => watched.page.keyboard.press(key)));
  return times;
}

function share(times: readonly number[], of: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(of * sorted.length) - 1]!;
}

/** The compressed size of the scripts that the first view loads. */
function firstViewBytes(): number {
  const files = join(here, "../packages/web/dist/files");
  const html = readFileSync(join(files, "index.html"), "utf8");
  const scripts = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, path]) => path!);
  return scripts.reduce(
    (sum, path) => sum + gzipSync(readFileSync(join(files, path)), { level: 9 }).length,
    0,
  );
}

/**
 * Measures exported files with ten thousand and a hundred thousand rows: their size, the time to open them, and the
 * time of gestures.
 */
async function measureFiles(
  browser: Browser,
  dataset: Dataset,
  { data, turns, add }: Measuring,
): Promise<void> {
  for (const { rows, size, opened, gesture } of FILES) {
    if (dataset.digests.length < rows) continue;
    progress(`exporting a file of ${rows} rows`);
    const output = `${data}-${rows}.html`;
    const some = ["--where", `inputs.id < ${rows}`, "--output", output, "--data", data];
    await run(process.execPath, [COMMAND, "export", dataset.project, "--format", "html", ...some]);
    add(size, ASSAY, "MB", [statSync(output).size / 1e6]);
    // The file queries its own worker, which resource timing does not record.
    const watched = await watchedPage(browser, { ...OURS, answer: undefined });
    const times: number[] = [];
    for (let turn = 0; turn < turns; turn++) times.push((await watched.arrive(`file://${output}`)).rows);
    add(opened, ASSAY, "ms", times);
    await watched.page.locator(OURS.busy).first().waitFor({ state: "detached" });
    await pressed(watched, 1);
    add(gesture, ASSAY, "ms", [...(await pressed(watched, turns)).values()].flat());
    await watched.page.close();
    rmSync(output);
  }
}

/** Measures promptfoo's viewer over the same rows, or reports why it cannot. */
async function measurePromptfoo(
  browser: Browser,
  dataset: Dataset,
  { data, turns, add }: Measuring,
): Promise<void> {
  const viewer = await promptfooViewer(dataset, data);
  if (typeof viewer === "string") {
    progress(`skipping promptfoo: ${viewer}`);
    return;
  }
  const { address, version, close } = viewer;
  try {
    const watched = await watchedPage(browser, THEIRS);
    progress(`opening the viewer of promptfoo ${version}`);
    await watched.arrive(address);
    const arrived: Arrival[] = [];
    for (let turn = 0; turn < turns; turn++) arrived.push(await watched.arrive(address));
    add(
      PAGE.paint,
      PROMPTFOO,
      "ms",
      arrived.map(({ paint }) => paint),
    );
    add(
      PAGE.rows,
      PROMPTFOO,
      "ms",
      arrived.map(({ rows }) => rows),
    );
    progress("filters of the viewer");
    const times: number[] = [];
    for (let turn = 0; turn <= turns; turn++) {
      for (const name of BUTTONS) {
        const button = watched.page.getByRole("button", { name, exact: true });
        const taken = await watched.gesture(() => button.click());
        if (turn > 0) times.push(taken);
      }
    }
    add(PAGE.gesture, PROMPTFOO, "ms", times);
    add(PAGE.slow, PROMPTFOO, "ms", [share(times, 0.95)]);
    const { nodes, heapBytes, longestTask } = await watched.held();
    add(PAGE.nodes, PROMPTFOO, "nodes", [nodes]);
    add("page: heap", PROMPTFOO, "bytes", [heapBytes]);
    add(PAGE.task, PROMPTFOO, "ms", [longestTask]);
    await watched.page.close();
  } finally {
    await close();
  }
}

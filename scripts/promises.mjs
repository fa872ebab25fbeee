// The promises of Assay, the tests that check each promise in every run, and the command that tests it for longer, one
// part at a time. scripts/testing.mjs runs the commands and writes TESTING.md from this list and from the saved
// results.

import { readdirSync } from "node:fs";

/** All files below a folder except in node_modules, whose links between packages form cycles. */
function filesBelow(folder) {
  return readdirSync(new URL(`../${folder}`, import.meta.url), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

/** The tests with clients in other languages. */
const INTEROP = filesBelow("test")
  .filter((path) => path.endsWith(".interop.ts"))
  .sort();

/**
 * `id` is the name for `npm run testing -- ID`. `brief` lists the tests that check the promise in every run. `command`
 * runs part number `part` for at most `minutes`; `seed` or `part` makes each part different. `counts` matches the
 * figures in the command's output, as named groups: figures are added up within a part and over parts, except those in
 * `most`, whose maximum is kept. `whole` is the target; below it, the promise counts as incompletely tested. `shown`
 * formats the totals, given as text and as numbers. `holds` decides whether the totals keep the promise, for commands
 * that can succeed although they do not.
 */
export const PROMISES = [
  {
    id: "kills",
    promise:
      "Nothing acknowledged is lost if the process is killed while it logs, trains or receives artifacts.",
    brief: [
      "test/weave/crash.test.ts",
      "packages/cli/test/training/crash.test.ts",
      "test/tracking/crash.test.ts",
    ],
    // The three kinds of kills take about twelve seconds in total.
    command: ({ seed, minutes }) =>
      `npm run test:deep -- --crashes ${Math.max(1, 4 * minutes)} --minutes 0 --seed ${seed}`,
    counts: /(?<kills>\d+) kills, nothing lost/g,
    whole: { kills: 10_000 },
    shown: ({ kills }) => `${kills} kills, a third of each kind, nothing lost`,
  },
  {
    id: "lives",
    promise:
      "If the process is killed at any moment, the data directory contains everything that was acknowledged, in whole batches, and needs no repair. A power cut may lose the last 20 ms of usage.",
    brief: ["test/disk/lives.test.ts"],
    command: ({ seed, minutes }) =>
      `npm run test:deep -- --runs ${Math.max(2, 18 * minutes)} --seed ${seed} test/disk/lives`,
    counts:
      /(?<kills>\d+) kills of (?<directories>\d+) directories, (?<opening>\d+) of them while they were opened or checked: (?<writes>\d+) writes acknowledged, none lost/g,
    most: ["directories"],
    whole: { kills: 2000 },
    shown: ({ kills, directories, opening, writes }) =>
      `${kills} kills of a process with ${directories} directories, ${opening} of them while it was opening or checking one: ${writes} writes acknowledged, none lost`,
  },
  {
    id: "columns",
    promise: "Every query gives the answer of the executable specification, byte for byte.",
    brief: [
      "packages/eval-engine/test/naive-is-columns.test.ts",
      "packages/eval-engine/test/metamorphic.test.ts",
    ],
    command: ({ seed, minutes }) =>
      `npm run test:deep -- --minutes ${minutes} --seed ${seed} naive-is-columns metamorphic`,
    counts: /checked (?<cases>\d+) cases/g,
    whole: { cases: 100_000 },
    shown: ({ cases }) =>
      `${cases} random projects and relations, each with several requests, no differences`,
  },
  {
    id: "statistics",
    promise: "Verdicts, slices and rankings are the same in every execution, including ClickHouse.",
    brief: [
      "packages/eval-engine/test/statistics-are-the-same.test.ts",
      "packages/adapters-clickhouse/test/statistics-pushed-down.test.ts",
    ],
    command: ({ seed, minutes }) =>
      `npm run test:deep -- --minutes ${minutes} --seed ${seed} statistics-are-the-same statistics-pushed-down`,
    counts: /checked (?<cases>\d+) cases/g,
    whole: { cases: 10_000 },
    shown: ({ cases }) => `${cases} random projects, each with several questions, no differences`,
  },
  {
    id: "intervals",
    promise: "Intervals contain the truth, and verdicts err, as often as they say.",
    brief: ["packages/eval-engine/test/simulation.test.ts", "packages/statistics/test/vectors.test.ts"],
    command: ({ seed, minutes }) => `npm run coverage -- --runs ${Math.round(100 * minutes)} --seed ${seed}`,
    counts: /(?<runs>\d+) simulated runs of each cell/g,
    whole: { runs: 1000 },
    shown: ({ runs }) =>
      `${runs} simulated runs of each cell, besides the 1,000 of [docs/explanation/statistics-coverage.md](docs/explanation/statistics-coverage.md)`,
  },
  {
    id: "conformance",
    promise: "The server responds as its OpenAPI document says, and refuses what the document forbids.",
    brief: ["packages/adapters-http/test/open-api.test.ts"],
    // The systematic requests run first and take up to five minutes.
    command: ({ seed, minutes }) =>
      `npm run conformance -- --minutes ${Math.max(0.5, minutes - 5)} --seed ${seed}`,
    counts: /(?<requests>[\d,]+) requests, (?<findings>\d+) findings/g,
    whole: { parts: 1 },
    shown: ({ requests, findings }) => `${requests} requests generated by Schemathesis, ${findings} findings`,
  },
  ...[
    [
      "importers",
      "A broken log is refused with an error message, and never leaves a partial evaluation.",
      "packages/importers/test/broken.test.ts",
    ],
    [
      "expressions",
      "Printing a filter and parsing it again gives the same filter, and an invalid filter is refused with the position of the error.",
      "test/fuzz/targets.test.ts",
    ],
    [
      "streams",
      "Anything that an engine sends becomes a strict stream, a refusal or a fault.",
      "test/fuzz/targets.test.ts",
    ],
    [
      "workers",
      "Messages of a remote worker are accepted completely and in order, or refused at their first error.",
      "test/fuzz/targets.test.ts",
    ],
    [
      "directories",
      "Reading a damaged file of the data directory returns what was written, or a fault, but never a different answer.",
      "packages/adapters-duckdb/test/recovery.test.ts",
    ],
    [
      "routes",
      "Every route responds as the OpenAPI document says, and no request causes an internal error.",
      "packages/adapters-http/test/open-api.test.ts",
    ],
  ].map(([id, promise, test]) => ({
    id,
    promise,
    brief: [test],
    command: ({ seed, minutes }) => `npm run fuzz -- --minutes ${minutes} --seed ${seed} ${id}`,
    counts: new RegExp(`${id}: (?<inputs>\\d+) inputs`, "g"),
    whole: { parts: 1 },
    shown: ({ inputs }) => `${inputs} inputs, none broken`,
  })),
  {
    id: "histories",
    promise:
      "After kills, power cuts and disk faults at any step of a write, a data directory contains everything acknowledged, and its answers are those of the specification.",
    brief: ["packages/adapters-duckdb/test/simulation.test.ts"],
    command: ({ seed, minutes }) =>
      `npm run test:deep -- --minutes ${minutes} --seed ${seed} adapters-duckdb/test/simulation`,
    counts:
      /(?<histories>\d+) histories: (?<queries>\d+) queries, (?<kills>\d+) kills, (?<cuts>\d+) power cuts, (?<faults>\d+) faults, (?<deletions>\d+) permanent deletions/g,
    whole: { histories: 100_000 },
    shown: ({ histories, queries, kills, cuts, faults, deletions }) =>
      `${histories} histories with ${queries} queries, ${kills} kills, ${cuts} power cuts, ${faults} disk faults and ${deletions} permanent deletions, no differences`,
  },
  {
    id: "damage",
    promise:
      "If a file of the data directory is damaged in any way, reading it returns what was written, a fault, or less data with a report of what is missing.",
    brief: ["packages/cli/test/damaged-files.test.ts"],
    command: ({ seed, minutes }) =>
      `npm run test:deep -- --runs ${Math.max(1, Math.floor(0.6 * minutes))} --seed ${seed} packages/cli/test/damaged-files`,
    counts:
      /(?<files>\d+) files, (?<damages>\d+) damages: (?<healed>\d+) healed silently, (?<told>\d+) reported, (?<faults>\d+) with faults, (?<refused>\d+) refused/g,
    most: ["files"],
    whole: { damages: 2000 },
    shown: ({ files, damages, healed, told, faults, refused }) =>
      `${files} files, ${damages} damages: ${healed} change no answer, ${told} are reported at startup, ${faults} end in faults, ${refused} are refused with instructions; no wrong answers`,
  },
  {
    id: "hostile",
    promise:
      "No request body within a route's limit delays other requests by 250 ms, uses 512 MiB, or gets a refusal above 64 KiB.",
    brief: ["test/hostile.test.ts"],
    command: ({ part }) => `npm run hostile -- --every=3 --from=${part}`,
    counts:
      /(?<bodies>\d+) bodies in \d+ s, longest health check (?<health>\d+) ms, longest turn (?<turn>\d+) ms, most memory (?<memory>\d+) MiB, longest refusal (?<refusal>[\d.]+) KiB, 0 promises broken/g,
    most: ["health", "turn", "memory", "refusal"],
    whole: { parts: 3 },
    shown: ({ bodies, health, turn, memory, refusal }) =>
      `${bodies} bodies, health checks within ${health} ms, no event-loop turn above ${turn} ms of processor time, at most ${memory} MiB of additional memory, refusals of at most ${refusal} KiB`,
  },
  {
    id: "soak",
    promise: "Under load, memory and handles stay constant, and the health check responds.",
    brief: ["test/unread-streams.test.ts"],
    command: ({ seed, minutes }) => `npm run soak -- --minutes ${minutes} --seed ${seed}`,
    counts:
      /memory: (?<memory>-?[\d.]+)[\s\S]*?handles: (?<handles>-?[\d.]+)[\s\S]*?healthP99: (?<p99>[\d.]+)[\s\S]*?healthMost: (?<health>[\d.]+)[\s\S]*?(?<answers>\d+) answers/g,
    most: ["memory", "handles", "p99", "health"],
    whole: { parts: 3 },
    shown: ({ answers, memory, handles, p99, health }) =>
      `${answers} responses; growth of ${memory} MiB and ${handles} handles per minute; health check ${p99} ms (p99), ${health} ms (maximum)`,
  },
  {
    id: "silent",
    promise:
      "A key with a hundred connections that are silent, slow or never read at most doubles another key's latency, and never causes it a refusal.",
    brief: ["test/unread-streams.test.ts", "test/hostile.test.ts"],
    command: () => "npm run silent",
    counts:
      /(?<connections>\d+) silent connections of one key; (?<questions>\d+) requests of another took (?<before>[\d.]+) ms before and (?<meanwhile>[\d.]+) ms meanwhile/g,
    whole: { parts: 1 },
    shown: ({ connections, questions, before, meanwhile }) =>
      `${connections} connections of one key: ${questions} requests of another took ${before} ms before and ${meanwhile} ms meanwhile (median), none refused`,
  },
  {
    id: "page",
    promise:
      "The page shows what the endpoints return: every count opens that many rows, and every verdict is the endpoint's.",
    brief: ["test/web"],
    command: ({ seed, minutes }) => `npm run test:page -- --runs ${Math.max(4, 25 * minutes)} --seed ${seed}`,
    counts: /(?<runs>\d+) rounds of (?<tests>\d+) tests passed/g,
    most: ["tests"],
    whole: { runs: 500 },
    shown: ({ runs, tests }) => `${tests} tests, with ${runs} random filters and as many random projects`,
  },
  // Each part of an area mutates different lines.
  ...[
    ["query-lang", "the filter language", "packages/query-lang/test", 60],
    ["statistics", "the statistics", "packages/statistics/test", 45],
    ["plan", "the query planner", "packages/eval-engine/test", 180],
    ["jobs", "the job state machine", "packages/training-core/test", 36],
    ["normaliser", "the stream normaliser", "packages/inference-core/test", 1],
  ].map(([area, what, tests, parts]) => ({
    id: `mutation-${area}`,
    promise: `The tests of ${what} detect at least 85% of small changes to the code.`,
    brief: [tests],
    command: ({ part }) => `npm run mutate -- --part ${part + 1}/${parts} ${area}`,
    counts: new RegExp(`${area}: (?<noticed>\\d+) of (?<changes>\\d+) mutants detected`, "g"),
    whole: { parts },
    shown: ({ changes }, sums) =>
      `${((100 * sums.noticed) / sums.changes).toFixed(1)}% of ${changes} changes detected`,
    holds: ({ noticed, changes }) => noticed / changes >= 0.85,
  })),
  {
    id: "clients",
    promise:
      "Existing clients work unmodified: weave, openai, wandb, openpipe-art, the AI SDK, litellm, peft.",
    brief: ["test/weave/npm-client.test.ts", "packages/adapters-http/test/inference/clients.test.ts"],
    command: ({ part }) => `npm run test:interop -- ${INTEROP[part]}`,
    counts: /Tests\s+(?<tests>\d+) passed/g,
    whole: { parts: INTEROP.length },
    shown: ({ tests }) => `${tests} tests`,
  },
];

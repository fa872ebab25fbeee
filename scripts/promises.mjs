// What Assay promises, how each promise is tested in every run of the tests, and the command that tests it at full length.
// scripts/testing.mjs runs the commands and writes TESTING.md from this list and from the figures of the last full run.

/**
 * `id` is what `npm run testing -- ID` calls it; `brief` are the tests that hold it in `npm test`; `command` is the long form,
 * where SEED is replaced; `figure` is what of its output is worth keeping: the last match, `$1` and so on as in `shown`.
 */
export const PROMISES = [
  {
    id: "kills",
    promise:
      "Nothing that was acknowledged is lost when the process is killed, while it logs, trains or takes artifacts.",
    brief: [
      "test/weave/crash.test.ts",
      "packages/cli/test/training/crash.test.ts",
      "test/tracking/crash.test.ts",
    ],
    command: "npm run test:deep -- --crashes 200 --minutes 0 --seed SEED",
    figure: /no failure in ([\d.]+) minutes/g,
    shown: "200 rounds for each of three loads, nothing lost",
  },
  {
    id: "lives",
    promise:
      "A data directory whose process is killed at any moment has all that was acknowledged, wholly, and needs no repair. Of usage, a power cut may lose the last 20 ms.",
    brief: ["test/disk/lives.test.ts"],
    command: "npm run test:deep -- --runs 2000 --seed SEED test/disk/lives",
    figure:
      /(\d+) kills of (\d+) directories, (\d+) of them while they were opened or checked: (\d+) writes acknowledged, none lost/g,
    shown:
      "$1 kills of a process with $2 directories, $3 of them while it opened or checked them: $4 writes acknowledged, none lost",
  },
  {
    id: "columns",
    promise: "Every query has the answer of the executable specification, to the byte.",
    brief: [
      "packages/eval-engine/test/naive-is-columns.test.ts",
      "packages/eval-engine/test/metamorphic.test.ts",
    ],
    command: "npm run test:deep -- --runs 80000 --seed SEED naive-is-columns metamorphic",
    figure: /no failure in ([\d.]+) minutes/g,
    shown: "80,000 compared requests, no difference, $1 minutes",
  },
  {
    id: "statistics",
    promise: "Verdicts, slices and rankings are the same in every execution, ClickHouse among them.",
    brief: [
      "packages/eval-engine/test/statistics-are-the-same.test.ts",
      "packages/adapters-clickhouse/test/statistics-pushed-down.test.ts",
    ],
    command: "npm run test:deep -- --runs 80000 --seed SEED statistics-are-the-same statistics-pushed-down",
    figure: /no failure in ([\d.]+) minutes/g,
    shown: "80,000 compared questions, 20,000 of them over ClickHouse, no difference, $1 minutes",
  },
  {
    id: "intervals",
    promise: "Intervals cover and verdicts err as often as they say.",
    brief: ["packages/eval-engine/test/simulation.test.ts", "packages/statistics/test/vectors.test.ts"],
    command: "npm run coverage -- --runs 1000 --seed SEED",
    figure: /(.*)/g,
    shown: "[docs/explanation/statistics-coverage.md](docs/explanation/statistics-coverage.md)",
  },
  {
    id: "conformance",
    promise: "The server answers as its OpenAPI document says, and refuses what that forbids.",
    brief: ["packages/adapters-http/test/open-api.test.ts"],
    command: "npm run conformance -- --minutes 10 --seed SEED",
    figure: /([\d,]+) requests, (\d+) findings/g,
    shown: "$1 requests that Schemathesis made, $2 findings",
  },
  ...[
    [
      "importers",
      "A log that is broken is refused with a sentence, and never leaves half an evaluation.",
      "packages/importers/test/broken.test.ts",
    ],
    [
      "expressions",
      "A filter reads as it prints, or is refused where it is wrong.",
      "test/fuzz/targets.test.ts",
    ],
    [
      "streams",
      "Whatever an engine sends becomes a strict stream, a refusal or a fault.",
      "test/fuzz/targets.test.ts",
    ],
    [
      "workers",
      "What a worker elsewhere says is taken whole and in order, or refused where it is wrong.",
      "test/fuzz/targets.test.ts",
    ],
    [
      "directories",
      "A damaged file of the data directory gives what was written or a fault, never another answer.",
      "packages/adapters-duckdb/test/recovery.test.ts",
    ],
    [
      "routes",
      "Every route answers as the OpenAPI document says, and no request is a fault of the server's.",
      "packages/adapters-http/test/open-api.test.ts",
    ],
  ].map(([id, promise, test]) => ({
    id,
    promise,
    brief: [test],
    command: `npm run fuzz -- --minutes 10 --seed SEED ${id}`,
    figure: new RegExp(`${id}: (\\d+) inputs`, "g"),
    shown: "$1 inputs in 10 minutes, none broken",
  })),
  {
    id: "histories",
    promise:
      "Whatever happens to a data directory, kills, power cuts and faults of the disk at any step of a write, it has what was acknowledged and answers as the specification does.",
    brief: ["packages/adapters-duckdb/test/simulation.test.ts"],
    command: "npm run test:deep -- --runs 10000 --seed SEED adapters-duckdb/test/simulation",
    figure:
      /(\d+) histories: (\d+) queries, (\d+) kills, (\d+) power cuts, (\d+) faults, (\d+) deletions for ever/g,
    shown:
      "$1 histories with $2 queries, $3 kills, $4 power cuts, $5 faults of the disk and $6 deletions for ever, no difference",
  },
  {
    id: "damage",
    promise:
      "A file of the data directory that is damaged in any way gives what was written, a fault, or less that is told.",
    brief: ["test/disk/damaged-files.test.ts"],
    command: "npm run test:deep -- --runs 50 --seed SEED test/disk/damaged-files",
    figure:
      /(\d+) files, (\d+) damages: (\d+) healed in silence, (\d+) told, (\d+) with faults, (\d+) refused/g,
    shown:
      "$1 files, $2 damages: $3 change no answer, $4 are told at the start, $5 end in faults, $6 are refused with the way out; no wrong answer",
  },
  {
    id: "hostile",
    promise:
      "No body, up to a route's limit, keeps others waiting for 250 ms, takes 512 MiB, or gets a refusal above 64 KiB.",
    brief: ["test/hostile.test.ts"],
    command: "npm run hostile",
    figure:
      /(\d+) bodies in \d+ s, longest health check (\d+) ms, longest turn (\d+) ms, most memory (\d+) MiB, longest refusal ([\d.]+) KiB, 0 promises broken/g,
    shown:
      "$1 bodies, health within $2 ms, no turn above $3 ms of processor time, at most $4 MiB more memory, refusals of at most $5 KiB",
  },
  {
    id: "soak",
    promise: "Memory and handles stay where they are under load, and health answers.",
    brief: ["test/unread-streams.test.ts"],
    command: "npm run soak -- --minutes 30 --seed SEED",
    figure:
      /memory: (-?[\d.]+)[\s\S]*?handles: (-?[\d.]+)[\s\S]*?healthP99: ([\d.]+)[\s\S]*?healthMost: ([\d.]+)[\s\S]*?(\d+) answers/g,
    shown: "$5 answers in 30 minutes; $1 MiB and $2 handles a minute; health $3 ms (p99), $4 ms (most)",
  },
  {
    id: "silent",
    promise:
      "A key with a hundred connections that say nothing, slowly or never read costs another at most twice its latency, and no refusal.",
    brief: ["test/unread-streams.test.ts", "test/hostile.test.ts"],
    command: "npm run silent",
    figure:
      /(\d+) silent connections of one key; of another (\d+) questions took ([\d.]+) ms before and ([\d.]+) ms meanwhile/g,
    shown:
      "$1 connections of one key: $2 questions of another took $3 ms before and $4 ms meanwhile, none refused",
  },
  {
    id: "page",
    promise:
      "The page shows what the endpoints say: every count opens that many rows, every verdict is the endpoint's.",
    brief: ["test/web"],
    command: "npm run test:page",
    figure: /Tests\s+(\d+) passed/g,
    shown: "$1 tests at full length",
  },
  ...[
    ["query-lang", "the filter language", "packages/query-lang/test", 15],
    ["statistics", "the statistics", "packages/statistics/test", 20],
    ["plan", "what plans a query", "packages/eval-engine/test", 5],
    ["jobs", "the job state machine", "packages/training-core/test", 30],
    ["normaliser", "what makes strict streams of those of engines", "packages/inference-core/test", 100],
  ].map(([area, what, tests, share]) => ({
    id: `mutation-${area}`,
    promise: `The tests of ${what} notice at least 85 of 100 changes of its code.`,
    brief: [tests],
    command: `npm run mutate -- --share ${share} --seed SEED ${area}`,
    figure: new RegExp(`${area}: (\\d+) mutants of a sample of ([\\d.]+) % .*?, ([\\d.]+) % noticed`, "g"),
    shown: "$3 % of $1 changes noticed, in a sample of $2 % of the lines",
  })),
  {
    id: "clients",
    promise:
      "Clients that people have work unmodified: weave, openai, wandb, openpipe-art, the AI SDK, litellm, peft.",
    brief: ["test/weave/npm-client.test.ts", "packages/adapters-http/test/inference/clients.test.ts"],
    command: "npm run test:interop",
    figure: /Tests\s+(\d+) passed/g,
    shown: "$1 tests",
  },
];

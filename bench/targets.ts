// The performance targets, as data. Ratios are of medians in one run.

import type { Lookup } from "./measurement.ts";
import { LOOP_HELD } from "./statistics.ts";

/** The name of our own contender. */
export const ASSAY = "Assay";

/** The name of our own contender for queries that are pushed down to ClickHouse. */
export const PUSHED = "Assay, pushed down";

/** The workload that reports the slowest health request of all. */
export const SLOWEST_HEALTH = "slowest health during any";

/** The data and the workload of programs that start from objects. */
export const [OBJECTS, FIRST_ANSWER] = [
  "10k × 3 objects",
  "first answer, from the start of the process",
] as const;

/** The data and the workloads of starting a process. */
export const START = {
  data: "a start, 2 × 20 rows, processor time",
  node: "node -e 0",
  version: "assay --version",
  import: "assay import",
  evaluations: "assay evaluations",
  query: "assay query",
  compare: "assay compare",
  serve: "assay serve, until it answers, and its end",
} as const;

/** The workloads of a user of the page. */
export const PAGE = {
  paint: "page: first paint",
  rows: "page: rows painted",
  gesture: "page: a gesture painted",
  slow: "page: 95 of 100 gestures painted",
  throttled: "page: a gesture painted, processor slowed 4 times",
  task: "page: longest task",
  late: "page: late frames while scrolling",
  nodes: "page: nodes",
  script: "page: script of the first view, gzipped",
  fileOpened: "page: file of 10k rows, rows painted",
  fileSize: "page: file of 10k rows",
  fileGesture: "page: file of 10k rows, a gesture painted",
  largeFileOpened: "page: file of 100k rows, rows painted",
  largeFileSize: "page: file of 100k rows",
  largeFileGesture: "page: file of 100k rows, a gesture painted",
} as const;

/** The workloads from a file to the verdict. */
export const IMPORT = {
  bare: "the bare parse",
  single: "import, without the start",
  both: "import and first comparison, with their starts",
  first: "first comparison, with its start",
  later: "later comparison, with its start",
  unkept: "comparison of the file, which is not imported",
  file: "bytes of the file",
  disk: "bytes on the disk",
  memory: "most memory of the import",
} as const;

/** The workloads that measure the rate of reading a log. */
export const LOG = { rate: "MB per second of CPU", bare: "bare parse, MB per second of CPU" } as const;

/** The requests to a server while it imports a project, and afterwards. */
export const SERVED_IMPORT = {
  imported: {
    write: "import of all calls in one request",
    health: "slowest health request during the import",
    typicalHealth: "health requests during the import",
    restarted: "first look after the import, server restarted",
    memory: "most memory of the import and what follows",
  },
  logged: {
    write: "calls logged in requests of a thousand",
    health: "slowest health request while calls are logged",
    typicalHealth: "health requests while calls are logged",
    restarted: "first look after calls were logged, server restarted",
    memory: "most memory of logging and what follows",
  },
  atOnce: "first look right after the import",
  healthAfter: "slowest health request while columns are saved",
} as const;

/** The requests in a project with many evaluations. */
export const MANY = {
  uncounted: "assay evaluations, the first after an import",
  list: "assay evaluations",
  compare: "assay compare of two by name",
  served: "a server's first list of 50",
  servedCompare: "a server's first comparison",
} as const;

const MANY_SIZES = ["500 × 200", "10000 × 50"];

/** One target. `value` is undefined if its figures were not measured. */
export interface Target {
  readonly what: string;
  readonly unit: "×" | "ms" | "calls/s" | "calls" | "nodes" | "KB" | "MB" | "%";
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly value: (of: Lookup) => number | undefined;
}

const SIZES = ["100k", "1M"];

const ratio = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? undefined : a / b;

/** Requires a minimum speed-up over a contender, on the sizes that matter. */
function fasterThan(contender: string, workloads: readonly string[], atLeast: number): Target[] {
  return workloads.flatMap((workload) =>
    SIZES.map((data) => ({
      what: `${workload}, ${data}: faster than ${contender}`,
      unit: "×" as const,
      atLeast,
      value: (of: Lookup) => ratio(of(data, workload, contender), of(data, workload, ASSAY)),
    })),
  );
}

/** Requires a maximum ratio of two of our own figures. */
function within(
  what: string,
  atMost: number,
  figure: readonly [string, string, string],
  against: readonly [string, string, string],
): Target {
  return { what, unit: "×", atMost, value: (of) => ratio(of(...figure), of(...against)) };
}

/** Requires a maximum number of milliseconds. */
function inTime(what: string, atMost: number, data: string, workload: string): Target {
  return { what, unit: "ms", atMost, value: (of) => of(data, workload, ASSAY) };
}

const GROWING = [
  "difference",
  "filter",
  "text",
  "summary",
  "summary, filtered",
  "page, first",
  "page, deep",
  "everything",
  "compare, all measures",
  "compare, one measure",
  "slices by category",
];

const PARSED_LOGS = [
  "inspect .eval, deflate",
  "inspect .json",
  "langfuse experiment",
  "langfuse export",
  "promptfoo JSON",
  "promptfoo JSON lines",
];

const CHATS = "chats over HTTP";
/** Requires a maximum latency that the gateway adds to the engine's, divided by `parts`. */
function added(what: string, workload: string, parts = 1): Target {
  return {
    what,
    unit: "ms",
    atMost: 1,
    value: (of) => {
      const [through, direct] = [of(CHATS, workload, ASSAY), of(CHATS, workload, "direct")];
      return through === undefined || direct === undefined ? undefined : (through - direct) / parts;
    },
  };
}

const LOGGED = ["a start and an end, in two requests", "whole calls"];
const LOGGED_DATA = "calls over HTTP";

const PUSHED_DOWN = ["1M", "10M", "40M"].map((size) => `${size} trials in ClickHouse`);

/** A project without other data, and with ten times as much data in other projects. */
const PUSHED_BESIDE = ["100k", "1M", "4M"].map((size) => `${size} trials in ClickHouse`);

/** Requires a maximum for the page over 100k rows. */
function onThePage(workload: string, atMost: number, unit: Target["unit"] = "ms"): Target {
  return { what: `${workload}, 100k`, unit, atMost, value: (of) => of("100k", workload, ASSAY) };
}

/** Every target, in the order of printing. */
export const TARGETS: readonly Target[] = [
  ...fasterThan("DuckDB", ["difference", "filter"], 10),
  ...fasterThan("ClickHouse", ["difference", "filter"], 20),
  ...fasterThan("mingo", ["difference", "filter"], 200),
  ...fasterThan("DuckDB", ["summary"], 20),
  ...fasterThan("DuckDB", ["summary, filtered"], 3),
  ...fasterThan("DuckDB", ["text"], 1),
  inTime("everything, 100k, in process", 15, "100k", "everything"),
  inTime("everything, 100k, over HTTP", 20, "100k", "everything, over HTTP"),
  inTime("from 10k × 3 objects to the first answer", 300, OBJECTS, FIRST_ANSWER),
  within(
    "a start of assay --version: of Node's own",
    2,
    [START.data, START.version, ASSAY],
    [START.data, START.node, ASSAY],
  ),
  ...[START.import, START.evaluations, START.query, START.compare].map((name) =>
    inTime(`a start of ${name}`, 600, START.data, name),
  ),
  inTime(`a start of ${START.serve}`, 700, START.data, START.serve),
  inTime("verdict on all measures, 100k", 15, "100k", "compare, all measures"),
  inTime("verdict on one measure, 100k", 5, "100k", "compare, one measure"),
  inTime("slices by 14 categories, 100k", 25, "100k", "slices by category"),
  inTime("ranking of 12 × 12,032 rows", 50, "12 × 12,032", "ranking"),
  ...SIZES.map((data) => inTime(`event loop held by a verdict, ${data}`, 50, data, LOOP_HELD)),
  ...SIZES.map((data) =>
    within(
      `page at a deep offset, ${data}: of the first page`,
      1.5,
      [data, "page, deep", ASSAY],
      [data, "page, first", ASSAY],
    ),
  ),
  ...GROWING.map((workload) =>
    within(
      `${workload}: growth from 100k to 1M rows`,
      12,
      ["1M", workload, ASSAY],
      ["100k", workload, ASSAY],
    ),
  ),
  within(
    "ingest in memory, 100k: of JSON.parse",
    2,
    ["100k", "ingest", ASSAY],
    ["100k", "ingest", "JSON.parse"],
  ),
  within(
    "assay import, MMLU-Pro: of JSON.parse",
    2.5,
    ["MMLU-Pro", "assay import", ASSAY],
    ["MMLU-Pro", "assay import", "JSON.parse"],
  ),
  inTime("open MMLU-Pro, first answer over 2 evaluations", 500, "MMLU-Pro", "open, 2 evaluations"),
  inTime("open MMLU-Pro, first answer over 12 evaluations", 2000, "MMLU-Pro", "open, 12 evaluations"),
  within(
    "resident memory, MMLU-Pro queried: of calls.jsonl",
    0.6,
    ["MMLU-Pro", "resident memory", ASSAY],
    ["MMLU-Pro", "resident memory", "calls.jsonl"],
  ),
  {
    what: "append to visible, 100k: more than a query",
    unit: "ms",
    atMost: 1,
    value: (of) => {
      const [appended, query] = [of("100k", "append and query", ASSAY), of("100k", "query by itself", ASSAY)];
      return appended === undefined || query === undefined ? undefined : appended - query;
    },
  },
  ...["difference", "summary"].flatMap((workload) => [
    ...PUSHED_DOWN.map((data) =>
      within(
        `${workload} pushed down, ${data}: of SQL by hand`,
        1.3,
        [data, workload, PUSHED],
        [data, workload, "SQL by hand"],
      ),
    ),
    ...PUSHED_BESIDE.map((data) =>
      within(
        `${workload} pushed down, ${data}: growth with other data`,
        1.2,
        [`${data}, ten times as much beside it`, workload, PUSHED],
        [`${data}, one project by itself`, workload, PUSHED],
      ),
    ),
  ]),
  ...LOGGED.flatMap((workload): Target[] => [
    {
      what: `logged over HTTP, ${workload}`,
      unit: "calls/s",
      atLeast: 5000,
      value: (of) => of(LOGGED_DATA, `${workload}: calls/s`, ASSAY),
    },
    within(
      `memory while logging, ${workload}: at the end, of after 5 s`,
      1.5,
      [LOGGED_DATA, `${workload}: resident at the end`, ASSAY],
      [LOGGED_DATA, `${workload}: resident after 5 s`, ASSAY],
    ),
  ]),
  added("a chat through assay serve, whole: more than of the engine itself", "a whole answer"),
  added("a chat through assay serve, 100 chunks: more, for each chunk", "an answer of 100 chunks", 100),
  added("a chat through assay serve, 100 chunks: more until the first", "the first chunk of it"),
  ...["whole answers, 32 at once", "answers of 100 chunks, 32 at once"].map(
    (workload): Target => ({
      what: `${workload}: of Portkey's answers per second`,
      unit: "×",
      atLeast: 2,
      value: (of) => ratio(of(CHATS, workload, ASSAY), of(CHATS, workload, "Portkey")),
    }),
  ),
  within(
    "memory of 1000 streams: most in the last waves, of the first waves",
    1.2,
    [CHATS, "1000 streams: most in the last waves", ASSAY],
    [CHATS, "1000 streams: most in the first waves", ASSAY],
  ),
  within(
    "memory of 1000 streams: most while they are longer, of the first waves",
    1.2,
    [CHATS, "1000 streams: most while they are longer", ASSAY],
    [CHATS, "1000 streams: most in the first waves", ASSAY],
  ),
  {
    what: "1000 streams: how many were open at once",
    unit: "calls",
    atLeast: 1000,
    value: (of) => of(CHATS, "1000 streams: open at once", ASSAY),
  },
  {
    what: "1000 streams: how many failed",
    unit: "calls",
    atMost: 0,
    value: (of) => of(CHATS, "1000 streams: failed", ASSAY),
  },
  onThePage(PAGE.paint, 300),
  onThePage(PAGE.rows, 500),
  onThePage(PAGE.gesture, 60),
  onThePage(PAGE.slow, 100),
  onThePage(PAGE.throttled, 250),
  onThePage(PAGE.task, 100),
  onThePage(PAGE.late, 5, "%"),
  onThePage(PAGE.nodes, 2500, "nodes"),
  onThePage(PAGE.script, 80, "KB"),
  onThePage(PAGE.fileOpened, 2000),
  onThePage(PAGE.fileSize, 16, "MB"),
  onThePage(PAGE.fileGesture, 150),
  onThePage(PAGE.largeFileOpened, 10_000),
  onThePage(PAGE.largeFileSize, 160, "MB"),
  onThePage(PAGE.largeFileGesture, 150),
  ...MANY_SIZES.flatMap((data) => [
    inTime(`${MANY.list}, ${data}, processor time`, 700, data, MANY.list),
    inTime(`${MANY.compare}, ${data}, processor time`, 700, data, MANY.compare),
    inTime(`${MANY.served}, ${data}`, 50, data, MANY.served),
    inTime(`${MANY.servedCompare}, ${data}`, 100, data, MANY.servedCompare),
  ]),
  ...(
    [
      ["csv", "papaparse", 2, 4],
      ["jsonl", "JSON.parse", 4, 6],
    ] as const
  ).flatMap(([form, parser, single, both]) => {
    const data = `300k answers, ${form}, processor time`;
    const bare = [data, IMPORT.bare, parser] as const;
    return [
      within(`import of ${form}, of ${parser}`, single, [data, IMPORT.single, ASSAY], bare),
      within(`import and first comparison of ${form}, of ${parser}`, both, [data, IMPORT.both, ASSAY], bare),
      within(
        `bytes on the disk after it, of the ${form}`,
        0.5,
        [data, IMPORT.disk, ASSAY],
        [data, IMPORT.file, ASSAY],
      ),
    ];
  }),
  within(
    "comparison of the csv without an import, of DuckDB",
    10,
    ["300k answers, csv, processor time", IMPORT.unkept, ASSAY],
    ["300k answers, csv, processor time", IMPORT.both, "DuckDB"],
  ),
  within(
    "import and first comparison of csv, of DuckDB",
    10,
    ["300k answers, csv, processor time", IMPORT.both, ASSAY],
    ["300k answers, csv, processor time", IMPORT.both, "DuckDB"],
  ),
  within(
    "import and first comparison of parquet, of DuckDB",
    8,
    ["300k answers, parquet, processor time", IMPORT.both, ASSAY],
    ["300k answers, parquet, processor time", IMPORT.both, "DuckDB"],
  ),
  ...[IMPORT.single, IMPORT.memory].map((workload) =>
    within(
      `${workload}, csv: growth from 300k to 3M answers`,
      12,
      ["3M answers, csv, processor time", workload, ASSAY],
      ["300k answers, csv, processor time", workload, ASSAY],
    ),
  ),
  ...PARSED_LOGS.map((log) =>
    within(
      `import of ${log}, 100 MB: of a bare parse`,
      4,
      [`import of ${log}`, "100 MB", LOG.bare],
      [`import of ${log}`, "100 MB", LOG.rate],
    ),
  ),
  ...[SERVED_IMPORT.atOnce, SERVED_IMPORT.imported.restarted, SERVED_IMPORT.logged.restarted].map(
    (workload) => inTime(`${workload}, 100k × 8`, 500, "100k × 8", workload),
  ),
  ...SIZES.map((data) =>
    inTime(`slowest health request during the heaviest query, ${data}`, 50, data, SLOWEST_HEALTH),
  ),
];

/** Whether a measured value meets its target. */
export function isMet(target: Target, value: number): boolean {
  return (
    value >= (target.atLeast ?? Number.NEGATIVE_INFINITY) &&
    value <= (target.atMost ?? Number.POSITIVE_INFINITY)
  );
}

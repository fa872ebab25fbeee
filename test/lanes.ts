// The lanes of the tests: the files of each lane, the part that `npm test` runs, and the changes that trigger the whole
// lane. vitest.config.ts makes a project of each lane; `npm run test:full` and .ci/run select lanes.

import { readFileSync } from "node:fs";

/**
 * Paths are relative to the repository. A folder stands for all files below it that no longer path assigns to another
 * lane.
 */
export interface Lane {
  /** Test folders and single test files. */
  readonly files: readonly string[];
  /** Files that `npm test` skips, longest first. */
  readonly full?: readonly string[];
  /** Files with fewer random cases or kills in `npm test`, longest first. */
  readonly fewer?: readonly string[];
  /** Files whose tests tagged `long` are skipped in `npm test`, longest first. */
  readonly long?: readonly string[];
  /** Packages that the lane tests. Changes to them or to their dependencies trigger the lane. */
  readonly of: readonly string[];
  /** Other paths that trigger the lane, in addition to its own files. */
  readonly paths?: readonly string[];
  /** Whether one process runs many files in turn, which requires that nothing outlives a test. */
  readonly together?: true;
}

/** Paths that trigger no lane, because no test reads them. */
const ASLEEP = [".changeset", "bench", "mutation", "python", "CHANGELOG.md"];

const CORES = [
  "base",
  "calls",
  "client",
  "importers",
  "inference-core",
  "model-tiny",
  "query-lang",
  "server",
  "statistics",
  "trace-core",
  "tracking-core",
  "training-core",
  "adapters-http",
  "adapters-openai",
  "adapters-ray",
  "adapters-tiny",
  "adapters-worker",
  "web",
];

export const LANES = {
  cores: {
    files: CORES.map((name) => `packages/${name}/test`),
    full: ["packages/adapters-http/test/fine-tuning/built-client.test.ts"],
    fewer: [
      "packages/training-core/test/simulation.test.ts",
      "packages/importers/test/broken.test.ts",
      "packages/importers/test/json-cells.test.ts",
      "packages/importers/test/lz4-block.test.ts",
      "packages/importers/test/metric-records.test.ts",
      "packages/training-core/test/reading.test.ts",
      "packages/model-tiny/test/grammar.test.ts",
      "packages/model-tiny/test/rl.test.ts",
      "packages/web/test/page/codec.test.ts",
    ],
    long: [
      "packages/adapters-tiny/test/trainer.test.ts",
      "packages/server/test/background-columns.test.ts",
      "packages/adapters-http/test/inference/clients.test.ts",
      "packages/importers/test/odd-files.test.ts",
    ],
    of: ["training-core", "importers", "model-tiny"],
    together: true,
  },
  engine: {
    files: ["packages/eval-engine/test"],
    fewer: [
      "packages/eval-engine/test/naive-is-columns.test.ts",
      "packages/eval-engine/test/statistics-are-the-same.test.ts",
      "packages/eval-engine/test/statistics-ranges.test.ts",
      "packages/eval-engine/test/metamorphic.test.ts",
      "packages/eval-engine/test/large.test.ts",
      "packages/eval-engine/test/semantics/fields.test.ts",
      "packages/eval-engine/test/statistics-added-up.test.ts",
    ],
    of: ["eval-engine"],
    together: true,
  },
  stores: {
    files: ["packages/adapters-duckdb/test"],
    fewer: [
      "packages/adapters-duckdb/test/deletion.test.ts",
      "packages/adapters-duckdb/test/simulation.test.ts",
    ],
    long: [
      "packages/adapters-duckdb/test/packed-journal.test.ts",
      "packages/adapters-duckdb/test/trace/store.test.ts",
    ],
    of: ["adapters-duckdb"],
    together: true,
  },
  clickhouse: {
    files: ["packages/adapters-clickhouse/test", "packages/cli/test/clickhouse.test.ts"],
    full: [
      "packages/adapters-clickhouse/test/cluster.test.ts",
      "packages/adapters-clickhouse/test/over-http.test.ts",
      "packages/cli/test/clickhouse.test.ts",
      "packages/adapters-clickhouse/test/choice.test.ts",
      "packages/adapters-clickhouse/test/rights.test.ts",
      "packages/adapters-clickhouse/test/reindex-calls.test.ts",
      "packages/adapters-clickhouse/test/long-values.test.ts",
      "packages/adapters-clickhouse/test/long-answers.test.ts",
    ],
    fewer: [
      "packages/adapters-clickhouse/test/naive-is-clickhouse.test.ts",
      "packages/adapters-clickhouse/test/statistics-pushed-down.test.ts",
    ],
    of: ["adapters-clickhouse"],
  },
  faults: {
    files: [
      "packages/adapters-duckdb/test/crash.test.ts",
      "packages/adapters-duckdb/test/inference/crash.test.ts",
      "packages/adapters-duckdb/test/killed-states.test.ts",
      "packages/adapters-duckdb/test/recovery.test.ts",
      "packages/adapters-duckdb/test/training/store.test.ts",
      "packages/cli/test/damaged-files.test.ts",
      "packages/cli/test/data-directory.test.ts",
      "packages/cli/test/drain.test.ts",
      "packages/cli/test/healing.test.ts",
      "packages/cli/test/stale-lock.test.ts",
      "packages/cli/test/training/crash-states.test.ts",
      "packages/cli/test/training/crash.test.ts",
      "test/built/backup.test.ts",
      "test/built/delete.test.ts",
      "test/disk",
      "test/tracking",
      "test/upgrade",
      "test/weave/crash.test.ts",
    ],
    full: [
      "packages/adapters-duckdb/test/killed-states.test.ts",
      "packages/adapters-duckdb/test/recovery.test.ts",
      "packages/cli/test/damaged-files.test.ts",
      "packages/cli/test/data-directory.test.ts",
      "packages/cli/test/training/crash-states.test.ts",
      "test/built/backup.test.ts",
      "test/upgrade/upgrade.test.ts",
      "packages/cli/test/stale-lock.test.ts",
      "test/tracking/quota.test.ts",
    ],
    fewer: [
      "packages/cli/test/training/crash.test.ts",
      "test/weave/crash.test.ts",
      "packages/adapters-duckdb/test/training/store.test.ts",
      "test/tracking/crash.test.ts",
      "packages/adapters-duckdb/test/crash.test.ts",
      "packages/adapters-duckdb/test/inference/crash.test.ts",
      "test/disk/lives.test.ts",
    ],
    long: ["test/built/delete.test.ts"],
    of: ["adapters-duckdb"],
  },
  limits: {
    files: [
      "packages/cli/test/built-limits.test.ts",
      "test/fuzz",
      "test/hostile.test.ts",
      "test/linear-patterns.test.ts",
      "test/misspelt-options.test.ts",
      "test/readers.test.ts",
      "test/turns.test.ts",
      "test/unread-streams.test.ts",
      "test/weave/backpressure.test.ts",
      "test/weave/long-reads.test.ts",
    ],
    full: [
      "test/hostile.test.ts",
      "test/weave/backpressure.test.ts",
      "test/weave/long-reads.test.ts",
      "test/unread-streams.test.ts",
      "packages/cli/test/built-limits.test.ts",
      "test/turns.test.ts",
    ],
    fewer: ["test/readers.test.ts", "test/fuzz/targets.test.ts"],
    of: ["adapters-http"],
  },
  command: {
    files: ["packages/cli/test"],
    full: [
      "packages/cli/test/training/commands.test.ts",
      "packages/cli/test/spellings.test.ts",
      "packages/cli/test/flat-tables.test.ts",
      "packages/cli/test/plain-output.test.ts",
    ],
    fewer: ["packages/cli/test/access-control.test.ts", "packages/cli/test/tenants.test.ts"],
    long: [
      "packages/cli/test/training/training.test.ts",
      "packages/cli/test/export.test.ts",
      "packages/cli/test/import-logs.test.ts",
      "packages/cli/test/server-log.test.ts",
      "packages/cli/test/mcp.test.ts",
      "packages/cli/test/inference/chat.test.ts",
    ],
    of: ["cli"],
    together: true,
  },
  built: {
    files: [
      "packages/adapters-vitest/test",
      "packages/cli/test/lazy-schemas.test.ts",
      "test/built",
      "test/weave",
    ],
    full: [
      "test/built/compare.test.ts",
      "test/built/import-options.test.ts",
      "test/built/long-texts.test.ts",
      "test/built/openapi-examples.test.ts",
      "test/built/import-samples.test.ts",
      "test/built/published-description.test.ts",
      "test/built/mmlu-pro.test.ts",
      "test/built/check-names.test.ts",
      "test/built/settings-files.test.ts",
      "packages/adapters-vitest/test/reporter.test.ts",
      "test/built/interrupted-reading.test.ts",
      "test/built/opentelemetry.test.ts",
      "test/built/behind-a-proxy.test.ts",
      "test/built/tracing.test.ts",
      "test/built/metrics.test.ts",
      "test/built/deploy.test.ts",
    ],
    long: ["test/built/score-directions.test.ts", "test/built/import.test.ts"],
    of: ["cli", "adapters-vitest"],
    paths: ["deploy", "examples"],
    together: true,
  },
  page: {
    files: ["test/browser.test.ts", "test/engine-in-a-page.test.ts", "test/web"],
    full: [
      "test/web/what-it-shows.test.ts",
      "test/web/exported-file.test.ts",
      "test/browser.test.ts",
      "test/web/docs.test.ts",
    ],
    long: ["test/web/page.test.ts"],
    of: ["web"],
    paths: ["examples"],
  },
  documents: {
    files: [
      "examples/training-loop/test",
      "packages/cli/test/configuration-docs.test.ts",
      "packages/cli/test/query-text-docs.test.ts",
      "test/architecture.test.ts",
      "test/built/documents.test.ts",
      "test/built/first-table.test.ts",
      "test/built/importing-docs.test.ts",
      "test/entries.test.ts",
      "test/example-data.test.ts",
      "test/lanes.test.ts",
      "test/limits-docs.test.ts",
      "test/man.test.ts",
      "test/pure-handler.test.ts",
      "test/readme.test.ts",
      "test/references.test.ts",
      "test/site.test.ts",
      "test/testing-page.test.ts",
      "test/workflows.test.ts",
    ],
    full: [
      "test/site.test.ts",
      "test/readme.test.ts",
      "test/built/documents.test.ts",
      "examples/training-loop/test/loop.test.ts",
      "packages/cli/test/query-text-docs.test.ts",
    ],
    of: ["cli"],
    paths: [".github", "ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "SECURITY.md", "TESTING.md"].concat(
      ["docs", "examples", "site", "testing.json"],
    ),
    together: true,
  },
} as const satisfies Readonly<Record<string, Lane>>;

export type LaneName = keyof typeof LANES;

/**
 * How much to run: `brief` is `npm test`; `test` runs all files of a triggered lane; `full` also runs all their cases.
 */
export const modes = ["brief", "test", "full"] as const;
export type Mode = (typeof modes)[number];

/**
 * Files that run a second time in the project `cores-interpreted`, with interpreted schemas as in the command. `npm
 * test` runs only those of the core packages, because it also tests the refusals of the built command.
 */
const INTERPRETED = {
  brief: ["packages/trace-core/test/c*.test.ts", "packages/training-core/test/reading.test.ts"],
  more: [
    "packages/adapters-http/test/eval-results.test.ts",
    "packages/adapters-http/test/training/training-routes.test.ts",
    "packages/adapters-http/test/weave/*.test.ts",
  ],
};

/** The files of that project in this mode. */
export function interpretedFiles(mode: Mode): readonly string[] {
  return mode === "brief" ? INTERPRETED.brief : [...INTERPRETED.brief, ...INTERPRETED.more];
}

export const lanes: readonly (readonly [LaneName, Lane])[] = Object.entries(LANES) as [LaneName, Lane][];

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** The lane of a test file; undefined if it is in none. */
export function laneOf(path: string): LaneName | undefined {
  const claims = lanes.flatMap(([name, { files }]) =>
    files.filter((file) => isBelow(path, file)).map((file) => ({ name, length: file.length })),
  );
  return claims.sort((a, b) => b.length - a.length)[0]?.name;
}

/** The include and exclude patterns of a lane's vitest project. */
export function patternsOf(
  lane: LaneName,
  mode: Mode,
): { readonly include: readonly string[]; readonly exclude: readonly string[] } {
  const { files, full = [] }: Lane = LANES[lane];
  const others = lanes.filter(([name]) => name !== lane).flatMap(([, { files }]) => files);
  return {
    include: files.map(asPattern),
    exclude: [
      ...others.filter((other) => files.some((file) => isBelow(other, file))).map(asPattern),
      ...(mode === "brief" ? full : []),
    ],
  };
}

function asPattern(path: string): string {
  return path.endsWith(".test.ts") ? path : `${path}/**/*.test.ts`;
}

/**
 * The lanes that changes to these files trigger, each with the file that triggered it. A file that matches no rule
 * triggers all lanes.
 */
export function triggeredBy(paths: readonly string[]): ReadonlyMap<LaneName, string> {
  const triggered = new Map<LaneName, string>();
  for (const path of paths)
    for (const lane of triggeredByOne(path)) if (!triggered.has(lane)) triggered.set(lane, path);
  return triggered;
}

function triggeredByOne(path: string): readonly LaneName[] {
  const all = lanes.map(([name]) => name);
  if (ASLEEP.some((folder) => isBelow(path, folder))) return [];
  const [, name, inside = ""] = /^packages\/([^/]+)\/(.*)$/.exec(path) ?? [];
  if (inside.startsWith("etc/")) return [];
  if (inside === "README.md") return ["documents"];
  // Code that tests share triggers the lanes with tests in its folder.
  if (/(?:^|\/)test\//.test(path))
    return path.endsWith(".test.ts") ? all.filter((lane) => laneOf(path) === lane) : sharing(path);
  if (name !== undefined) return all.filter((lane) => packagesOf(lane).has(name));
  const claimed = lanes.filter(([, { paths = [] }]) => paths.some((one) => isBelow(path, one)));
  return claimed.length > 0 ? claimed.map(([lane]) => lane) : all;
}

/** The lanes with tests in the folder of a file or below; all lanes for a file at the root of `test`. */
function sharing(path: string): readonly LaneName[] {
  const folder = path.slice(0, path.lastIndexOf("/"));
  const own = laneOf(path);
  return lanes
    .filter(
      ([name, { files }]) => folder === "test" || name === own || files.some((file) => isBelow(file, folder)),
    )
    .map(([name]) => name);
}

/**
 * The packages that trigger a lane: those it tests, their dependencies, and those that contain its partly run files.
 */
function packagesOf(lane: LaneName): ReadonlySet<string> {
  const { of, full = [], fewer = [], long = [] }: Lane = LANES[lane];
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const dependency of dependenciesOf(name)) add(dependency);
  };
  for (const name of of) add(name);
  for (const file of [...full, ...fewer, ...long]) {
    const [, name] = /^packages\/([^/]+)\//.exec(file) ?? [];
    if (name !== undefined) found.add(name);
  }
  return found;
}

function dependenciesOf(name: string): readonly string[] {
  const file = new URL(`../packages/${name}/package.json`, import.meta.url);
  const { dependencies = {} } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  return Object.keys(dependencies)
    .filter((dependency) => dependency.startsWith("@assay/"))
    .map((dependency) => dependency.slice("@assay/".length));
}

// The examples in READMEs compile, run, and print the documented values: `console.log(x); // expected`, with the value
// after it or on the lines below. Each example is self-contained. Examples of core packages run as in a browser; those
// of Node.js packages run against the published form, in one separate process, each in an empty folder. Documents are
// listed by their path.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import ts from "typescript";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";

const PACKAGES = [
  "base",
  "calls",
  "client",
  "eval-engine",
  "importers",
  "query-lang",
  "statistics",
  "trace-core",
  "tracking-core",
  "training-core",
];

/** Packages for Node.js. */
const NODE_PACKAGES: readonly string[] = [
  "adapters-clickhouse",
  "adapters-duckdb",
  "adapters-http",
  "adapters-openai",
  "adapters-ray",
  "adapters-tiny",
  "adapters-vitest",
  "adapters-worker",
  "inference-core",
  "model-tiny",
  "server",
  "web",
];

const DOCUMENTS = ["docs/how-to/own-store.md"];
const PAGES = [...PACKAGES, ...DOCUMENTS];

interface Example {
  readonly name: string;
  /** The path of the example as a module: next to the README. */
  readonly file: string;
  readonly code: string;
}

const root = fileURLToPath(new URL("..", import.meta.url));

function examplesOf(name: string): Example[] {
  const isDocument = name.endsWith(".md");
  // Readers of a document have its imports installed; here the tests' folder has them.
  const folder = isDocument ? `${root}test/` : `${root}packages/${name}/`;
  const text = readFileSync(isDocument ? `${root}${name}` : `${folder}README.md`, "utf8");
  return [...text.matchAll(/^## (.*)$|^```ts\n([\s\S]*?)^```$/gm)].reduce<{
    title: string;
    found: Example[];
  }>(
    ({ title, found }, [, heading, code]) =>
      code === undefined
        ? { title: heading!, found }
        : { title, found: [...found, { name: title, file: `${folder}example-${found.length}.ts`, code }] },
    { title: name, found: [] },
  ).found;
}

/** The values that the example claims to print. */
function expectedOf({ code }: Example): unknown[] {
  const prints = [...code.matchAll(/^.*\bconsole\.log\(.*\);((?:\s*\/\/ .*\n)+)/gm)];
  return prints.map(([, comment]) => {
    const value = comment!.replaceAll(/^\s*\/\/ /gm, "");
    return new Function(`return (${value});`)() as unknown;
  });
}

/** The compiler's errors in the examples, each as a file next to its README. */
function errors(examples: readonly Example[]): string[] {
  const config = ts.readConfigFile(`${root}tsconfig.test.json`, ts.sys.readFile).config as object;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const code = new Map(examples.map((example) => [example.file, example.code]));
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => code.has(file) || fileExists(file);
  host.readFile = (file) => code.get(file) ?? readFile(file);
  host.getSourceFile = (file, languageVersion, ...rest) => {
    const text = code.get(file);
    return text === undefined
      ? getSourceFile(file, languageVersion, ...rest)
      : ts.createSourceFile(file, text, languageVersion);
  };
  const program = ts.createProgram([...code.keys()], { ...options, noUnusedLocals: false }, host);
  return [...code.keys()].flatMap((file) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    );
  });
}

async function run({ file, code }: Example): Promise<unknown[]> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: file.slice(0, file.lastIndexOf("/")), loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    // Core packages and their dependencies must load in a browser, so the platform excludes Node.js built-ins; the
    // exceptions are examples with call lines or with their own imports of built-ins.
    platform: /"(@assay\/calls\/lines|node:.*)"/.test(code) ? "node" : "browser",
    conditions: ["@assay/source"],
  });
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const script = Buffer.from(outputFiles[0]!.contents).toString("base64");
  await import(/* @vite-ignore */ `data:text/javascript;base64,${script}`);
  return log.mock.calls.map(([first]) => first as unknown);
}

/** What an example logged, the first value of each call, or its error. */
type Outcome = { readonly logged: readonly unknown[] } | { readonly failed: string };

/** Runs the scripts in turn, each in an empty folder, and prints their outcomes as JSON on exit. */
const RUN_EACH = `
  import { mkdtempSync } from "node:fs";
  const [home, ...scripts] = process.argv.slice(1);
  const outcomes = [];
  process.once("exit", () => process.stdout.write(JSON.stringify(outcomes)));
  for (const script of scripts) {
    const logged = [];
    console.log = (first) => void logged.push(first);
    process.chdir(mkdtempSync(home + "/empty-"));
    outcomes.push(await import(script).then(() => ({ logged }), (error) => ({ failed: error.stack })));
  }
`;

/** Runs the examples in one process, against the published form of the packages. */
async function runAsPublished(examples: readonly Example[]): Promise<readonly Outcome[]> {
  const scripts = examples.map(async ({ file, code }) => {
    // Inside the package, so that its own name resolves.
    const folder = join(dirname(file), "build/readme");
    mkdirSync(folder, { recursive: true });
    const script = join(folder, basename(file).replace(/ts$/, "mjs"));
    const { code: plain } = await transform(code, { loader: "ts", format: "esm", target: "node20" });
    writeFileSync(script, plain);
    return script;
  });
  const home = mkdtempSync(join(tmpdir(), "assay-readme-"));
  try {
    const args = ["--input-type=module", "--eval", RUN_EACH, home, ...(await Promise.all(scripts))];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "" },
      timeout: 300_000,
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
    return JSON.parse(stdout) as Outcome[];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

afterEach(() => void vi.restoreAllMocks());

test("examples compile", () => {
  expect(errors([...PAGES, ...NODE_PACKAGES].flatMap(examplesOf))).toEqual([]);
});

describe.each(PAGES)("%s", (name) => {
  test.each(examplesOf(name))("$name", async (example) => {
    expect(await run(example)).toEqual(expectedOf(example));
  });
});

describe("as published", () => {
  const examples = NODE_PACKAGES.flatMap((name) =>
    examplesOf(name).map((example) => ({ ...example, title: `${name}: ${example.name}` })),
  );
  let outcomes: readonly Outcome[];
  beforeAll(async () => {
    outcomes = await runAsPublished(examples);
  });
  test.each(examples.map((example, i) => ({ ...example, i })))("$title", ({ i, ...example }) => {
    expect(outcomes[i]).toEqual({ logged: expectedOf(example) });
  });
});

// The examples in READMEs compile, run, and print what they say: `console.log(x); // expected`, with what is expected
// after it or on the lines below. A package takes part by its name here when each of its examples stands alone, and so does
// a document by its path.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import ts from "typescript";
import { afterEach, describe, expect, test, vi } from "vitest";

const PACKAGES = [
  "base",
  "calls",
  "eval-engine",
  "importers",
  "query-lang",
  "statistics",
  "trace-core",
  "tracking-core",
  "training-core",
];

const DOCUMENTS = ["docs/how-to/own-store.md"];
const PAGES = [...PACKAGES, ...DOCUMENTS];

interface Example {
  readonly name: string;
  /** Where it would be a module: beside the README. */
  readonly file: string;
  readonly code: string;
}

const root = fileURLToPath(new URL("..", import.meta.url));

function examplesOf(name: string): Example[] {
  const isDocument = name.endsWith(".md");
  // A document's reader has installed what it imports: here the tests have.
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

/** What the example says that it prints. */
function expectedOf({ code }: Example): unknown[] {
  const prints = [...code.matchAll(/^.*\bconsole\.log\(.*\);((?:\s*\/\/ .*\n)+)/gm)];
  return prints.map(([, comment]) => {
    const value = comment!.replaceAll(/^\s*\/\/ /gm, "");
    return new Function(`return (${value});`)() as unknown;
  });
}

/** What the compiler finds wrong with the examples, as if each were a file beside its README. */
function complaints(examples: readonly Example[]): string[] {
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
    // What core packages depend on loads in a browser too, and modules of Node are then none of it; the lines of
    // calls alone are for Node, and what imports modules of Node itself.
    platform: /"(@assay\/calls\/lines|node:.*)"/.test(code) ? "node" : "browser",
    conditions: ["@assay/source"],
  });
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const script = Buffer.from(outputFiles[0]!.contents).toString("base64");
  await import(/* @vite-ignore */ `data:text/javascript;base64,${script}`);
  return log.mock.calls.map(([first]) => first as unknown);
}

afterEach(() => void vi.restoreAllMocks());

test("examples compile", () => {
  expect(complaints(PAGES.flatMap(examplesOf))).toEqual([]);
});

describe.each(PAGES)("%s", (name) => {
  test.each(examplesOf(name))("$name", async (example) => {
    expect(await run(example)).toEqual(expectedOf(example));
  });
});

// The exports of the packages: see docs/decisions/2026-11-24-small-main-entries.md. The test lists their numbers, so
// that reviewers see each new export.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The number of exports of each package's main entry. */
const NAMES: Readonly<Record<string, number>> = {
  "adapters-clickhouse": 7,
  "adapters-duckdb": 13,
  "adapters-http": 41,
  "adapters-openai": 4,
  "adapters-ray": 4,
  "adapters-tiny": 5,
  "adapters-vitest": 5,
  "adapters-worker": 9,
  base: 15,
  calls: 32,
  client: 11,
  "eval-engine": 48,
  importers: 8,
  "inference-core": 39,
  "model-tiny": 11,
  "query-lang": 23,
  server: 14,
  statistics: 39,
  "trace-core": 21,
  "tracking-core": 15,
  "training-core": 33,
  web: 6,
};

/** The exports of an entry: each name, its name in its own file, and that file. */
function exportsOf(file: string): { name: string; own: string; from: string }[] {
  const { statements } = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  return statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || statement.exportClause === undefined)
      throw new Error(`${file} contains more than export lists: ${statement.getText()}`);
    if (!ts.isNamedExports(statement.exportClause)) throw new Error(`${file} does not list its names`);
    const from = (statement.moduleSpecifier as ts.StringLiteral).text;
    return statement.exportClause.elements.map(({ name, propertyName }) => ({
      name: name.text,
      own: (propertyName ?? name).text,
      from,
    }));
  });
}

const entryOf = (name: string, entry: string): string => `${root}packages/${name}/src/${entry}.ts`;
const packages = readdirSync(`${root}packages`).filter((name) => existsSync(entryOf(name, "index")));
const reportOf = (name: string): string => readFileSync(`${root}packages/${name}/etc/${name}.api.md`, "utf8");

test("each main entry exports the listed number of names", () => {
  const found = Object.fromEntries(packages.map((name) => [name, exportsOf(entryOf(name, "index")).length]));
  expect(found).toEqual(NAMES);
});

describe.each(packages)("%s", (name) => {
  test("describes its purpose in its main entry", () => {
    expect(readFileSync(entryOf(name, "index"), "utf8")).toMatch(
      /^\/\*\*\n(?: \*.*\n)+ \* @packageDocumentation\n \*\/\n/,
    );
  });

  // The API report of a package includes unexported types that its exports refer to. If such a type comes from another
  // package, it must be in the report of that package, so that every change of it shows in a report.
  test("does not expose names that are internal to Assay", () => {
    const borrowed = [
      ...reportOf(name).matchAll(/import (?:type )?\{ (\w+).* \} from '@assay\/([\w-]+)\/internal'/g),
    ];
    const unseen = borrowed
      .filter(([, type, owner]) => !new RegExp(`^(?:interface|type) ${type}\\b`, "m").test(reportOf(owner!)))
      .map(([, type, owner]) => `${type} of ${owner}`);
    expect(unseen).toEqual([]);
  });

  test.runIf(existsSync(entryOf(name, "internal")))("describes its exports for other Assay packages", () => {
    const entry = entryOf(name, "internal");
    const undescribed = exportsOf(entry)
      .filter(({ from }) => from.startsWith("."))
      .filter(({ own, from }) => {
        const text = readFileSync(join(dirname(entry), from), "utf8");
        const words = "export (?:async )?(?:function\\*?|const|class|interface|type)";
        return !new RegExp(`\\*/\\n${words} ${own}\\b`).test(text);
      });
    expect(undescribed).toEqual([]);
  });
});

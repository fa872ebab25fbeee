// ARCHITECTURE.md against the imports: the picture shows what is there, and arrows point down alone.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { packages, picture } from "../scripts/picture.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const graph = packages();

const engine = `${root}packages/eval-engine/src/`;

/** The imports between files of the engine, both as paths from its `src`. */
const engineImports = readdirSync(engine, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) =>
    [...readFileSync(`${engine}${file}`, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)"/g)].map(
      ([, to]) => ({
        file,
        imported: join(dirname(file), to!),
      }),
    ),
  );

/** The folder of `src` that a file is in, at its first level; none for those that open the package. */
function folderOf(file: string): string {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : "";
}

/** The layers that packages of a layer may import. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  programs: ["server", "pages", "adapters", "clients", "cores", "base"],
  server: ["pages", "adapters", "clients", "cores", "base"],
  pages: ["adapters", "clients", "cores", "base"],
  adapters: ["clients", "cores", "base"],
  clients: ["base"],
  cores: ["cores", "base"],
  base: [],
};

test("the picture in ARCHITECTURE.md is that of the imports: npm run picture draws it", () => {
  expect(readFileSync(`${root}ARCHITECTURE.md`, "utf8")).toContain(picture(graph));
});

test("the engine's specification is imported by tests, and by the doors that are asked for it", () => {
  const importers = engineImports
    .filter(({ file, imported }) => folderOf(imported) === "reference" && folderOf(file) !== "reference")
    .map(({ file }) => file);
  expect([...new Set(importers)]).toEqual(["execute/engine.ts", "execute/selections.ts"]);
});

// From what knows nothing to what knows everything: a query passes them from `query` to `execute`.
const ENGINE_FOLDERS = [
  "kernels",
  "query",
  "trials",
  "ports",
  "columns",
  "segment",
  "plan",
  "statistics",
  "view",
  "words",
  "reference",
  "execute",
  "pushed",
  "logged",
  "laws",
  "testing",
  "",
];

test("no folder of the engine imports one above it", () => {
  const level = (file: string): number => {
    const at = ENGINE_FOLDERS.indexOf(folderOf(file));
    if (at === -1) throw new Error(`${file} is in a folder that has no place in the order`);
    return at;
  };
  const upward = engineImports.filter(({ file, imported }) => level(imported) > level(file));
  expect(upward).toEqual([]);
  expect(engineImports.length).toBeGreaterThan(300);
});

// What the tests of two packages share is in `test`, or in a package's `./testing`. Known gap: how a ClickHouse server is
// started, which the command's tests need from the adapter's.
const SHARED_GAPS = ["cli/test/clickhouse.test.ts: adapters-clickhouse"];

test("no package's test imports another package's test folder", () => {
  const packagesFolder = `${root}packages/`;
  const tests = readdirSync(packagesFolder).flatMap((name) =>
    existsSync(`${packagesFolder}${name}/test`)
      ? readdirSync(`${packagesFolder}${name}/test`, { recursive: true, encoding: "utf8" })
          .filter((file) => /\.(?:ts|mjs)$/.test(file))
          .map((file) => join(name, "test", file))
      : [],
  );
  const wrong = tests.flatMap((file) =>
    [...readFileSync(`${packagesFolder}${file}`, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)"/g)]
      .map(([, to]) => join(dirname(file), to!).split("/"))
      .filter(([owner, folder]) => folder === "test" && owner !== ".." && owner !== file.split("/")[0])
      .map(([owner]) => `${file}: ${owner}`),
  );
  expect(wrong).toEqual(SHARED_GAPS);
  expect(tests.length).toBeGreaterThan(300);
});

describe.each([...graph])("%s", (name, { layer, imports }) => {
  test("imports from the layers below alone", () => {
    const wrong = [...imports].filter((other) => !BELOW[layer]!.includes(graph.get(other)!.layer));
    expect(wrong).toEqual([]);
  });

  test("names in package.json what it imports, and nothing else", () => {
    const manifest = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, "utf8"));
    const named = Object.keys((manifest.dependencies ?? {}) as object)
      .filter((one) => one.startsWith("@assay/"))
      .map((one) => one.slice("@assay/".length));
    expect(named.sort()).toEqual([...imports].sort());
  });
});

// ARCHITECTURE.md against the imports: the picture shows what is there, and arrows point down alone.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { packages, picture } from "../scripts/picture.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const graph = packages();

/** The source files of a package, as paths from its `src`. */
function sourcesOf(name: string): readonly string[] {
  return readdirSync(`${root}packages/${name}/src`, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/.test(file),
  );
}

/** The imports between files of a package, both as paths from its `src`. */
function importsIn(name: string): readonly { readonly file: string; readonly imported: string }[] {
  return sourcesOf(name).flatMap((file) =>
    [
      ...readFileSync(`${root}packages/${name}/src/${file}`, "utf8").matchAll(
        /(?:from |import\()"(\.[^"]+)"/g,
      ),
    ].map(([, to]) => ({ file, imported: join(dirname(file), to!) })),
  );
}

const engineImports = importsIn("eval-engine");

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

test("the picture in ARCHITECTURE.md matches the imports: npm run picture draws it", () => {
  expect(readFileSync(`${root}ARCHITECTURE.md`, "utf8")).toContain(picture(graph));
});

test("the engine's specification is only imported by tests, and where it can be requested", () => {
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
  "pushdown",
  "in-memory",
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

/** Folders that may have more than twelve files, with the reason. */
const LARGE_FOLDERS: ReadonlySet<string> = new Set([
  // One file for each format.
  "importers/formats",
]);

test.each([...graph.keys()])("no folder of %s has more than twelve files", (name) => {
  const counts = new Map<string, number>();
  for (const file of sourcesOf(name)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  const large = [...counts].filter(
    ([folder, count]) => count > 12 && !LARGE_FOLDERS.has(`${name}/${folder}`),
  );
  expect(large).toEqual([]);
});

/** The folders that others of the package import, in a circle or not, without any that imports none of the rest. */
function foldersInCircles(name: string): readonly string[] {
  const imports = importsIn(name);
  const imported = new Set(imports.map((one) => one.imported));
  // What opens a package may import all of it.
  let arrows = imports
    .filter(({ file }) => file.includes("/") || imported.has(file))
    .map((one) => [folderOf(one.file), folderOf(one.imported)] as const)
    .filter(([from, to]) => from !== to);
  for (;;) {
    const from = new Set(arrows.map(([folder]) => folder));
    const to = new Set(arrows.map(([, folder]) => folder));
    const kept = arrows.filter((arrow) => from.has(arrow[1]) && to.has(arrow[0]));
    if (kept.length === arrows.length) return [...from];
    arrows = kept;
  }
}

test.each([...graph.keys()])("no folders of %s import each other in a circle", (name) => {
  expect(foldersInCircles(name)).toEqual([]);
});

// What tests of several folders share is in `@assay/testing`. One file imports from the tests of packages: the list of all
// targets of the fuzzer, each of which is beside the code that it is about.
const LIST_OF_TARGETS = "test/fuzz/targets.ts";

/** The folder of tests that a path is in: those of a package or an example, or one in `test`; none for what tests import. */
function testsOf(path: string): string | undefined {
  return /^(?:(?:packages|examples)\/[^/]+\/test|test(?:\/[^/]+(?=\/))?)(?=\/)/.exec(path)?.[0];
}

/** The scripts in a folder and below it, but what is installed there; none where there is no folder. */
function scriptsBelow(folder: string): readonly string[] {
  if (!existsSync(`${root}${folder}`)) return [];
  return readdirSync(`${root}${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : scriptsBelow(path);
    return /\.(?:ts|mjs)$/.test(path) ? [path] : [];
  });
}

test("no folder of tests imports another", () => {
  const folders = ["packages", "examples"].flatMap((top) =>
    readdirSync(`${root}${top}`).map((name) => `${top}/${name}/test`),
  );
  const files = ["test", ...folders].flatMap(scriptsBelow).filter((file) => file !== LIST_OF_TARGETS);
  const wrong = files.flatMap((file) =>
    [...readFileSync(`${root}${file}`, "utf8").matchAll(/(?:from |import |import\()"(\.[^"]+)"/g)]
      .map(([, to]) => join(dirname(file), to!))
      .filter((imported) => ![undefined, testsOf(file)].includes(testsOf(imported)))
      .map((imported) => `${file}: ${imported}`),
  );
  expect(wrong).toEqual([]);
  expect(files.length).toBeGreaterThan(400);
});

describe.each([...graph])("%s", (name, { layer, imports }) => {
  test("imports only from the layers below", () => {
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

// Checks ARCHITECTURE.md against the imports: the diagram shows the actual imports, and they only lead to lower layers.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { packages, picture } from "../scripts/picture.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const graph = packages();

/** The source files of a package, as paths relative to its `src`. */
function sourcesOf(name: string): readonly string[] {
  return readdirSync(`${root}packages/${name}/src`, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/.test(file),
  );
}

/** The imports between files of a package, with both paths relative to its `src`. */
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

/** The top-level folder of a file in `src`; empty for entry points. */
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

test("the diagram in ARCHITECTURE.md matches the imports; update it with npm run picture", () => {
  expect(readFileSync(`${root}ARCHITECTURE.md`, "utf8")).toContain(picture(graph));
});

test("only tests and the engine's options for it import the executable specification", () => {
  const importers = engineImports
    .filter(({ file, imported }) => folderOf(imported) === "reference" && folderOf(file) !== "reference")
    .map(({ file }) => file);
  expect([...new Set(importers)]).toEqual(["execute/engine.ts", "execute/selections.ts"]);
});

// From the lowest to the highest level; a query passes through them from `query` to `execute`.
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
    if (at === -1) throw new Error(`${file} is in a folder that ENGINE_FOLDERS does not list`);
    return at;
  };
  const upward = engineImports.filter(({ file, imported }) => level(imported) > level(file));
  expect(upward).toEqual([]);
  expect(engineImports.length).toBeGreaterThan(300);
});

/** Folders that may have more than twelve files, with the reason. */
const LARGE_FOLDERS: ReadonlySet<string> = new Set([
  // One file per format.
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

/** The folders of a package that take part in import cycles, or lie on a path between cycles. */
function foldersInCircles(name: string): readonly string[] {
  const imports = importsIn(name);
  const imported = new Set(imports.map((one) => one.imported));
  // Entry points may import everything.
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

test.each([...graph.keys()])("no folders of %s form an import cycle", (name) => {
  expect(foldersInCircles(name)).toEqual([]);
});

// Tests of several folders share code through `@assay/testing`. The exception is the list of all fuzz targets, which
// imports each target from the tests of its package.
const LIST_OF_TARGETS = "test/fuzz/targets.ts";

/**
 * The test folder that a path belongs to: that of a package or an example, or a subfolder of `test`; undefined for
 * shared code.
 */
function testsOf(path: string): string | undefined {
  return /^(?:(?:packages|examples)\/[^/]+\/test|test(?:\/[^/]+(?=\/))?)(?=\/)/.exec(path)?.[0];
}

/** All scripts below a folder, except in node_modules; none if the folder does not exist. */
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

  test("lists exactly its imports in package.json", () => {
    const manifest = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, "utf8"));
    const named = Object.keys((manifest.dependencies ?? {}) as object)
      .filter((one) => one.startsWith("@assay/"))
      .map((one) => one.slice("@assay/".length));
    expect(named.sort()).toEqual([...imports].sort());
  });
});

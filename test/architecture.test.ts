// ARCHITECTURE.md against the imports: the picture shows what is there, and arrows point down alone.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { packages, picture } from "../scripts/picture.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const graph = packages();

/** The layers that packages of a layer may import. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  programs: ["pages", "adapters", "cores", "base"],
  pages: ["adapters", "cores", "base"],
  adapters: ["cores", "base"],
  cores: ["cores", "base"],
  base: [],
};

test("the picture in ARCHITECTURE.md is that of the imports: npm run picture draws it", () => {
  expect(readFileSync(`${root}ARCHITECTURE.md`, "utf8")).toContain(picture(graph));
});

test("the engine's specification is imported by tests, and by the door that is asked for it", () => {
  const src = `${root}packages/eval-engine/src/`;
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const importers = files.filter(
    (file) =>
      !file.startsWith("reference") &&
      /\b(?:from|import) ?\(?"[^"]*\breference\//.test(readFileSync(`${src}${file}`, "utf8")),
  );
  expect(importers).toEqual(["engine.ts"]);
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

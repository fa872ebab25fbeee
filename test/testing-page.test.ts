// TESTING.md is what its generator writes, and what it names is there.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { PROMISES } from "../scripts/promises.mjs";
import { testingPage } from "../scripts/testing-page.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, "utf8");

test("TESTING.md is written from the promises and the figures: npm run testing -- --write", () => {
  expect(read("TESTING.md")).toBe(testingPage(PROMISES, JSON.parse(read("testing.json"))));
});

test.each(PROMISES)("$id names tests and a command that are there", ({ brief, command }) => {
  for (const path of brief) expect([path, existsSync(`${root}${path}`)]).toEqual([path, true]);
  const script = /^npm run ([\w:]+)/.exec(command)?.[1];
  expect(Object.keys(JSON.parse(read("package.json")).scripts)).toContain(script);
});

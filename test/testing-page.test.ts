// Checks TESTING.md: it is up to date, its references exist, and the results of parts are combined correctly.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { PROMISES } from "../scripts/promises.mjs";
import { added, shareOf, testingPage } from "../scripts/testing-page.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, "utf8");

test("TESTING.md matches the promises and results; update it with npm run testing -- --write", () => {
  expect(read("TESTING.md")).toBe(testingPage(PROMISES, JSON.parse(read("testing.json"))));
});

test.each(PROMISES)("$id refers to existing tests and an existing command", ({ brief, command }) => {
  for (const path of brief) expect([path, existsSync(`${root}${path}`)]).toEqual([path, true]);
  const asked = (command as (part: object) => string)({ seed: 1, minutes: 10, part: 0 });
  const script = /^npm run ([\w:]+)/.exec(asked)?.[1];
  expect(Object.keys(JSON.parse(read("package.json")).scripts)).toContain(script);
});

test("results of parts are summed, or their maximum is kept, until the target is reached", () => {
  const promise = { whole: { kills: 40 }, most: ["health"] };
  const part = (kills: number, health: number) => ({ counts: { kills, health } });
  expect([shareOf(promise, []), added(promise, [])]).toEqual([0, { parts: 0 }]);
  expect(added(promise, [part(10, 3), part(12, 7), part(8, 5)])).toEqual({ parts: 3, kills: 30, health: 7 });
  expect([shareOf(promise, [part(10, 3)]), shareOf(promise, [part(39, 1), part(9, 1)])]).toEqual([0.25, 1]);
});

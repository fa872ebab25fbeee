// The core packages give the same results in a browser as in Node.js. A package takes part if it is listed here. If it
// has a module `test/page.ts`, the test compares the JSON that its `page()` returns; otherwise it loads the package and
// compares its exports.
//
// Without Chromium, the same script runs in a bare context, and the test's name says so. ASSAY_BROWSER=required makes
// that a failure; ASSAY_BROWSER=none selects it.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { bundlePage, openBrowser } from "./browser.ts";

const CORE_PACKAGES = [
  "base",
  "calls",
  "query-lang",
  "statistics",
  "eval-engine",
  "trace-core",
  "training-core",
  "tracking-core",
  "inference-core",
  "model-tiny",
];

const browser = await openBrowser();
afterAll(() => browser.close());

describe(`in ${browser.name}`, () => {
  test.each(CORE_PACKAGES)("%s gives the same result as in Node.js", async (name) => {
    const file = (path: string) => fileURLToPath(new URL(`../packages/${name}/${path}`, import.meta.url));
    const module = existsSync(file("test/page.ts")) ? file("test/page.ts") : file("src/index.ts");
    const there = JSON.parse(await browser.run(await bundlePage(module))) as unknown;
    const names = (await import(/* @vite-ignore */ module)) as { page?: () => Promise<unknown> };
    const here = (await names.page?.()) ?? Object.keys(names).toSorted();
    expect(there).toEqual(JSON.parse(JSON.stringify(here)));
    expect(there).not.toEqual([]);
  });

  test("a module that needs Node.js does not bundle", async () => {
    await expect(bundlePage("node:fs")).rejects.toThrow(/Could not resolve "node:fs"/);
  });

  test("globals of Node.js are unavailable", async () => {
    const script = `globalThis.answer = Promise.resolve(JSON.stringify(["process", "Buffer", "require", "global"].map((name) => typeof globalThis[name])))`;
    expect(JSON.parse(await browser.run(script))).toEqual(Array(4).fill("undefined"));
  });

  if (process.env["ASSAY_BROWSER"] === "required") {
    test("is a browser", () => expect(browser.name).toMatch(/^Chromium/));
  }
});

// The core packages give in a browser what they give in Node. A package takes part by its name here. Where it has a
// module `test/page.ts`, that says what is compared: its `page()` does something worth comparing and gives it as JSON.
// Where not, the package is loaded, and what it exports is compared.
//
// Where there is no Chromium the same script runs in a bare context, and the name of the test says so;
// ASSAY_BROWSER=required makes that a failure, and ASSAY_BROWSER=none asks for it.

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
  test.each(CORE_PACKAGES)("%s prints the same as in Node", async (name) => {
    const file = (path: string) => fileURLToPath(new URL(`../packages/${name}/${path}`, import.meta.url));
    const module = existsSync(file("test/page.ts")) ? file("test/page.ts") : file("src/index.ts");
    const there = JSON.parse(await browser.run(await bundlePage(module))) as unknown;
    const names = (await import(/* @vite-ignore */ module)) as { page?: () => Promise<unknown> };
    const here = (await names.page?.()) ?? Object.keys(names).toSorted();
    expect(there).toEqual(JSON.parse(JSON.stringify(here)));
    expect(there).not.toEqual([]);
  });

  test("a module that needs Node is refused", async () => {
    await expect(bundlePage("node:fs")).rejects.toThrow(/Could not resolve "node:fs"/);
  });

  test("Node's globals are unavailable", async () => {
    const script = `globalThis.answer = Promise.resolve(JSON.stringify(["process", "Buffer", "require", "global"].map((name) => typeof globalThis[name])))`;
    expect(JSON.parse(await browser.run(script))).toEqual(Array(4).fill("undefined"));
  });

  if (process.env["ASSAY_BROWSER"] === "required") {
    test("is a browser", () => expect(browser.name).toMatch(/^Chromium/));
  }
});

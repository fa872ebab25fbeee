// The core packages give in a browser what they give in Node. A package takes part by its name here and a module
// `test/page.ts` of its own, whose `page()` does something worth comparing and gives it as JSON.
//
// Where there is no Chromium the same script runs in a bare context, and the name of the test says so;
// ASSAY_BROWSER=required makes that a failure, and ASSAY_BROWSER=none asks for it.

import { afterAll, describe, expect, test } from "vitest";
import { bundlePage, openBrowser } from "./browser.ts";

const CORE_PACKAGES = ["query-lang", "eval-engine"];

const browser = await openBrowser();
afterAll(() => browser.close());

describe(`in ${browser.name}`, () => {
  test.each(CORE_PACKAGES)("%s says what it says in Node", async (name) => {
    const module = new URL(`../packages/${name}/test/page.ts`, import.meta.url);
    const { page } = (await import(/* @vite-ignore */ module.href)) as { page: () => Promise<unknown> };
    const there = await browser.run(await bundlePage(module.pathname));
    expect(JSON.parse(there)).toEqual(JSON.parse(JSON.stringify(await page())));
  });

  test("a module that needs Node is refused", async () => {
    await expect(bundlePage("node:fs")).rejects.toThrow(/Could not resolve "node:fs"/);
  });

  test("nothing of Node is there", async () => {
    const script = `globalThis.answer = Promise.resolve(JSON.stringify(["process", "Buffer", "require", "global"].map((name) => typeof globalThis[name])))`;
    expect(JSON.parse(await browser.run(script))).toEqual(Array(4).fill("undefined"));
  });

  if (process.env["ASSAY_BROWSER"] === "required") {
    test("is a browser", () => expect(browser.name).toMatch(/^Chromium/));
  }
});

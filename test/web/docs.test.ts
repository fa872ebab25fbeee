// The HTTP reference in a browser, on the built server: the content security policy blocks nothing, and no request goes
// to another host.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER, type OpenPage, openPage } from "./open-page.ts";

describe.skipIf(NO_BROWSER !== undefined)("/docs", () => {
  let open: OpenPage;
  beforeAll(async () => {
    open = await openPage();
  });
  afterAll(() => open.close());

  test("the page links to it", async () => {
    const page = await open.page();
    await page.goto(open.url);
    await page.getByRole("link", { name: "API" }).click();
    await page.waitForURL(`${new URL(open.url).origin}/docs`);
    expect(open.errors).toEqual([]);
  });

  test("an operation links to the schema of its body", async () => {
    const page = await open.page();
    await page.goto(`${open.url}/docs`);
    await page.getByText("results", { exact: true }).first().click();
    await page.getByRole("link", { name: "POST /v2/{entity}/{project}/eval_results/query" }).first().click();
    expect(new URL(page.url()).hash).toBe("#evalResultsQuery");
    await page.getByRole("link", { name: "EvalResultsQueryBody" }).first().click();
    const heading = page.getByRole("heading", { name: "EvalResultsQueryBody" });
    expect(await heading.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(100);
    // The style sheet is loaded: the index is next to the operations.
    expect(await page.locator("body").evaluate((body) => getComputedStyle(body).display)).toBe("grid");
    expect(open.errors).toEqual([]);
  });
});

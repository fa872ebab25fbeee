// What people do on the page, in a browser, over the built server and the example that `npm start` loads.

import type { CompareResults } from "@assay/eval-engine";
import { verdictSentence } from "@assay/eval-engine/words";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { evaluationLines } from "../../packages/cli/test/calls.ts";
import { hostileLines } from "./hostile-lines.ts";
import { NO_BROWSER, type OpenPage, openPage } from "./open-page.ts";

const COMPARISON = "#/examples/units-parser/compare";

if (process.env["ASSAY_BROWSER"] === "required")
  test("there is a browser", () => expect(NO_BROWSER).toBeUndefined());

describe.skipIf(NO_BROWSER !== undefined)("the page", () => {
  let open: OpenPage;
  let page: Page;
  beforeAll(async () => {
    open = await openPage();
    page = await open.page();
  });
  afterAll(() => open?.close());

  const go = async (at: string, on = page) => {
    await on.goto("about:blank");
    await on.goto(`${open.url}/${at}`);
  };
  const rows = (on = page) => on.locator(".grid .row:not(.waiting)");
  const taken = (on = page) => on.locator(".took").innerText();
  const post = (path: string, body: string, type: string) =>
    fetch(`${open.url}${path}`, { method: "POST", body, headers: { "Content-Type": type } });

  test("arrives at the comparison: the endpoint's verdict, and the rows that got worse first", async () => {
    await go("");
    await rows().first().waitFor();
    expect(page.url()).toContain(COMPARISON);
    const listed = await fetch(`${open.url}/v2/examples/units-parser/eval_results/evaluations`);
    const { evaluations } = (await listed.json()) as { evaluations: { id: string; name: string }[] };
    const [, before, newest] = evaluations;
    const answered = await post(
      "/v2/examples/units-parser/eval_results/compare",
      JSON.stringify({
        query: { evaluation_call_ids: evaluations.map(({ id }) => id) },
        baseline: before!.id,
      }),
      "application/json",
    );
    const compared = (await answered.json()) as CompareResults;
    const measure = compared.comparisons
      .find(({ candidate }) => candidate === newest!.id)!
      .measures.find(({ field }) => field === "scores.correct")!;
    const names = { baseline: before!.name, candidate: newest!.name };
    await page.getByText(verdictSentence(names, measure, compared.level)).waitFor();
    expect(await rows().first().innerText()).toMatch(/worse by/);
  });

  test("is laid out for the first screen, and draws what is in sight alone", async () => {
    const top = await page.locator(".grid thead").boundingBox();
    expect(top!.y).toBeLessThanOrEqual(280);
    const inSight = await rows().evaluateAll(
      (all) => all.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length,
    );
    expect(inSight).toBeGreaterThanOrEqual(6);
    expect(await page.locator("*").count()).toBeLessThanOrEqual(2500);
    await page.locator(".grid-box").evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await page.locator('[aria-rowindex="241"]').waitFor();
    expect(await page.locator("*").count()).toBeLessThanOrEqual(2500);
  });

  test("goes by the keyboard alone: rows, the drawer and its diff, trials, scores, and back", async () => {
    await go(COMPARISON);
    await rows().first().waitFor();
    for (const key of ["j", "j", "k", "Enter"]) await page.keyboard.press(key);
    const drawer = page.getByRole("complementary", { name: "Row 2 of 240" });
    await drawer.locator("del").first().waitFor();
    await drawer.locator("ins").first().waitFor();
    await drawer.getByText("UnitsParser.predict").first().waitFor();
    await page.keyboard.press("]");
    await page.locator('.picker [aria-pressed="true"]', { hasText: "2" }).first().waitFor();
    await page.keyboard.press("j");
    await page.getByRole("complementary", { name: "Row 3 of 240" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".drawer").waitFor({ state: "detached" });
    await page.keyboard.press("2");
    await page.waitForURL(/s=scores/);
    await page.keyboard.press("b");
    await page.waitForURL(/&c=/);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.goBack();
    await page.goBack();
    await page.locator("tr.focus", { hasText: "correct" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("e");
    await page.getByRole("heading", { name: "Evaluations of examples/units-parser" }).waitFor();
  });

  test("opens exactly as many rows as each count says", async () => {
    await go(COMPARISON);
    await rows().first().waitFor();
    const chips = page.locator(".changes .chip");
    const counts = await chips.allInnerTexts();
    expect(counts.length).toBeGreaterThanOrEqual(5);
    for (const [at, text] of counts.entries()) {
      const count = Number(/\d+$/.exec(text)![0]);
      await chips.nth(at).click();
      await page.locator(".took", { hasText: new RegExp(`^${count} (?:of|rows)`) }).waitFor();
    }
    await page.getByRole("button", { name: /rows worse$/ }).click();
    const [, worse] = /(\d+) rows worse/.exec(await page.locator(".counts").innerText())!;
    await page.locator(".took", { hasText: new RegExp(`^${worse} of`) }).waitFor();
  });

  test("slices, and a slice's rows are the ones that it counted", async () => {
    await go(`${COMPARISON}?tab=slices`);
    const slice = page.getByRole("row", { name: /^kind = thousands/ });
    await slice.waitFor();
    expect(await slice.innerText()).toMatch(/worse/);
    await slice.getByRole("button").click();
    await page.locator(".took", { hasText: /^20 rows/ }).waitFor();
    await page.getByText("units_v3 is worse than units_v2 on correct").waitFor();
    const shown = await page.locator(".grid").innerText();
    const verdict = await page.locator(".sentence").innerText();
    await page.reload();
    await page.locator(".took", { hasText: /^20 rows/ }).waitFor();
    await page.locator(".verdict").waitFor();
    expect(await page.locator(".grid").innerText()).toBe(shown);
    expect(await page.locator(".sentence").innerText()).toBe(verdict);
  });

  test("filters by what is typed, and says what each filter keeps out when nothing is left", async () => {
    await go(COMPARISON);
    await rows().first().waitFor();
    await page.keyboard.press("f");
    const form = page.getByRole("form", { name: "Add a filter" });
    await form.getByLabel("field").fill("inputs.kind");
    await form.getByLabel("value").fill("in words");
    await form.getByRole("button", { name: "Add filter" }).click();
    await page.locator(".took", { hasText: /^20 rows/ }).waitFor();
    await go(`${COMPARISON}?f=inputs.kind~eq~"in words"&f=inputs.kind~eq~"nothing"`);
    await page.getByRole("heading", { name: "No row meets all of this" }).waitFor();
    await page.getByText("without it: 20 rows").waitFor();
    await page.getByText("without it: 0 rows").waitFor();
    await page
      .getByRole("tabpanel")
      .getByRole("button", { name: "remove the filter kind = nothing" })
      .click();
    await page.locator(".took", { hasText: /^20 rows/ }).waitFor();
  });

  test("answers chats side by side, and shows jobs, models, usage and keys", async () => {
    await go("#/~chat?m=assay%2Ftiny&m=assay%2Ftiny");
    await page.getByLabel("message to all").fill("Hello");
    await page.keyboard.press("Control+Enter");
    await page.locator(".messages .muted", { hasText: "tokens" }).nth(1).waitFor();
    for (const [view, heading] of [
      ["training", "Training jobs"],
      ["models", "Models"],
      ["usage", "Usage"],
      ["keys", "API keys"],
    ]) {
      await go(`#/~${view}`);
      await page.getByRole("heading", { name: heading!, exact: true }).waitFor();
    }
  });

  test("tells how a running evaluation goes on, and moves no row by itself", async () => {
    const [root, ...trials] = evaluationLines("live", [true, false, true]);
    const running = JSON.stringify({ ...JSON.parse(root!), ended_at: null });
    const path = "/v2/acme/live/calls/import";
    await post(path, [running, trials[0]].join("\n"), "application/x-ndjson");
    await go("#/acme/live/compare");
    await page.getByText("● 1 trials").waitFor();
    await page.locator(".took", { hasText: /^1 rows/ }).waitFor();
    await post(path, trials.slice(1).join("\n"), "application/x-ndjson");
    await page.getByText("● 3 trials").waitFor();
    expect(await taken()).toMatch(/^1 rows/);
    await page.keyboard.press("u");
    await page.locator(".took", { hasText: /^3 rows/ }).waitFor();
  });

  test("makes text of everything that data says", async () => {
    await post("/v2/acme/hostile/calls/import", hostileLines(), "application/x-ndjson");
    for (const at of [
      "#/acme/hostile",
      "#/acme/hostile/compare",
      "#/acme/hostile/compare?tab=slices",
      "#/acme/hostile/compare?tab=matrix",
      "#/acme/hostile/compare?f=<img src=x onerror=pwned=1>~eq~1",
    ]) {
      await go(at);
      await page.locator(".took, .panel, .matrix-box, .list, .notice").first().waitFor();
    }
    await go("#/acme/hostile/compare?sort=digest");
    await rows().first().waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".drawer .fields").waitFor();
    for (let at = 0; at < 13; at++) {
      await page.keyboard.press("j");
      await page.getByRole("complementary", { name: `Row ${at + 2} of 14` }).waitFor();
    }
    expect(await page.evaluate(() => "pwned" in globalThis)).toBe(false);
    expect(await page.locator("img, iframe, script:not([type=module]), a[href^='javascript']").count()).toBe(
      0,
    );
    const text = await page.locator("body").innerText();
    expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
    // A filter that makes no sense is refused by the server, and the browser notes it.
    open.complaints.splice(
      0,
      open.complaints.length,
      ...open.complaints.filter((one) => !one.includes("422")),
    );
  });

  test.each(["light", "dark"] as const)("has nothing that axe finds, in the %s theme", async (scheme) => {
    const themed = await open.page({ scheme });
    const found: string[] = [];
    for (const [at, until] of [
      [COMPARISON, ".grid .row"],
      [`${COMPARISON}?tab=slices`, ".slices"],
      [`${COMPARISON}?tab=matrix`, ".matrix"],
      [`${COMPARISON}?tab=ranking`, ".panel table"],
      ["#/examples/units-parser", ".list"],
      ["#/~chat", ".chat-column"],
      ["#/~keys", ".page form"],
    ] as const) {
      await go(at, themed);
      await themed.locator(until).first().waitFor();
      if (until === ".grid .row") {
        await themed.keyboard.press("Enter");
        await themed.locator(".path-diff").waitFor();
      }
      await themed.evaluate(axe.source);
      // Between the themes colours differ, and nothing else does.
      const only = scheme === "light" ? {} : { runOnly: ["color-contrast"] };
      const violations = await themed.evaluate(async (options) => {
        const { axe: loaded } = globalThis as unknown as {
          axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
        };
        const { violations: some } = await loaded.run(options);
        return some.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 200)}`);
      }, only);
      found.push(...violations.map((one) => `${at}: ${one}`));
    }
    await themed.context().close();
    expect(found).toEqual([]);
  });

  test("fits a phone and a small screen", async () => {
    for (const width of [320, 900, 1280, 2560]) {
      const narrow = await open.page({ width });
      for (const at of [COMPARISON, "#/examples/units-parser"]) {
        await go(at, narrow);
        await narrow.locator(".grid .row, .list").first().waitFor();
        const wider = await narrow.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([width, at, Math.max(0, wider)]).toEqual([width, at, 0]);
      }
      await narrow.context().close();
    }
  });

  test("made the browser complain of nothing, and asked no other host", () => {
    expect(open.complaints).toEqual([]);
  });

  // The last, because from then on the server asks for a key.
  test("asks for a key where one is needed, and takes one out of the address", async () => {
    const made = await post("/v1/keys", JSON.stringify({ name: "all", scopes: ["*"] }), "application/json");
    const { key } = (await made.json()) as { key: string };
    const fresh = await open.page();
    await go(COMPARISON, fresh);
    await fresh.getByLabel("API key").fill(key);
    await fresh.getByRole("button", { name: "Open" }).click();
    await rows(fresh).first().waitFor();
    expect(await fresh.context().cookies()).toEqual([]);
    const linked = await open.page();
    await go(`#key=${key}`, linked);
    await linked.getByText("Assay").first().waitFor();
    expect(linked.url()).not.toContain(key);
    await go(COMPARISON, linked);
    await rows(linked).first().waitFor();
  });
});

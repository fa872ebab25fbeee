// What users do on the page, in a browser, on the built server with the example that `npm start` loads.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { CompareResults } from "@assay/eval-engine";
import { verdictSentence } from "@assay/eval-engine/words";
import { evaluationLines } from "@assay/testing/calls";
import { FIXTURES } from "@assay/testing/import-fixtures";
import { wireClient } from "@assay/testing/wire-client";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hostileLines, PAYLOADS } from "./hostile-lines.ts";
import { NO_BROWSER, type OpenPage, openPage } from "./open-page.ts";

const COMPARISON = "#/examples/units-parser/compare";
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const COMMAND = join(ROOT, "packages/cli/bundle/assay.js");

if (process.env["ASSAY_BROWSER"] === "required")
  test("a browser is available", () => expect(NO_BROWSER).toBeUndefined());

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
  /** The server refuses invalid filters, which the browser reports as errors. */
  const forgetRefusals = () =>
    open.errors.splice(0, open.errors.length, ...open.errors.filter((one) => !one.includes("422")));
  const taken = (on = page) => on.locator(".took").innerText();
  const post = (path: string, body: string, type: string) =>
    fetch(`${open.url}${path}`, { method: "POST", body, headers: { "Content-Type": type } });

  test("opens on the comparison, with the endpoint's verdict and the worse rows first", async () => {
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
    await rows()
      .first()
      .getByRole("img", { name: /^worse by/ })
      .first()
      .waitFor();
  });

  test("fits its first screen, and draws only visible rows", async () => {
    await go(COMPARISON);
    await rows().first().waitFor();
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

  test("works with only the keyboard: rows, the drawer and its diff, trials, scores, and back", async () => {
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
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.goBack();
    await page.goBack();
    await page.waitForURL((url) => !/[?&](s|c)=/.test(url.hash + url.search));
    await page.locator("tr.focus", { hasText: "correct" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("e");
    await page.getByRole("heading", { name: "Evaluations of examples/units-parser" }).waitFor();
  });

  test("supports all main tasks by keyboard", async () => {
    const keys = async (...pressed: string[]) => {
      for (const key of pressed) await page.keyboard.press(key);
    };
    const tabTo = async (role: "button" | "combobox", name: string | RegExp) => {
      const wanted = page.getByRole(role, { name }).first();
      for (let presses = 0; presses < 200; presses++) {
        await keys("Tab");
        if (await wanted.evaluate((one) => one === document.activeElement)) return;
      }
      throw new Error(`Tab does not reach ${name}`);
    };
    // Is the run good, and better than before? Visible without pressing a key.
    await go(COMPARISON);
    await page.getByText("units_v3 is better than units_v2 on correct").waitFor();
    await page.locator("tr.focus", { hasText: "correct" }).waitFor();
    // Compares with another run.
    await tabTo("combobox", "add an evaluation");
    await keys("u", "Enter");
    await page.locator(".evaluation-chip", { hasText: "units_v1" }).waitFor();
    await tabTo("button", "remove units_v2");
    await keys("Enter");
    await page
      .getByText(/units_v1 is worse than units_v3 on correct|units_v3 is better than units_v1 on correct/)
      .waitFor();
    await go(COMPARISON);
    await rows().first().waitFor();
    // Shows the distribution, and the rows of a bar.
    await keys("t");
    await page.locator(".bar").first().waitFor();
    await tabTo("button", "−100 pt: 21 rows");
    await keys("Enter");
    await page.locator(".took", { hasText: /^21 rows/ }).waitFor();
    // Shows the worse rows, both answers side by side, and the reason.
    await go(COMPARISON);
    await rows().first().waitFor();
    await keys("w");
    await page.locator(".took", { hasText: /^26 of 240/ }).waitFor();
    await keys("Enter");
    await page.locator(".drawer ins").first().waitFor();
    await tabTo("button", /UnitsParser\.predict|correct/);
    await keys("Escape");
    await page.locator(".drawer").waitFor({ state: "detached" });
  });

  test("opens exactly as many rows as each count shows", async () => {
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

  test("shows slices, whose rows match their counts", { tags: ["long"] }, async () => {
    await go(`${COMPARISON}?tab=slices`);
    const slice = page.getByRole("row", { name: /^kind is thousands/ });
    await slice.waitFor();
    expect(await slice.innerText()).toMatch(/regressed/);
    await page
      .getByText("14 of 22 testable slices differ on correct (false-discovery rate 5%): 2 worse, 12 better.")
      .waitFor();
    const verdicts = await page.locator(".slices tbody tr").allInnerTexts();
    expect(verdicts.map((text) => text.includes("regressed")).lastIndexOf(true)).toBe(1);
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

  test("ranks evaluations by means and percentages, and compares each with the baseline", async () => {
    await go(`${COMPARISON}?tab=ranking&s=scores.magnitudes_off`);
    await page.getByRole("cell", { name: "0.187", exact: true }).waitFor();
    await go(`${COMPARISON}?tab=ranking&s=scores.correct`);
    const ranking = page.getByLabel("Ranking");
    await ranking.getByRole("cell", { name: "53.8%" }).waitFor();
    await ranking.getByRole("img", { name: "from 47.6 to 59.8" }).waitFor();
    await go("#/examples/units-parser");
    await page.getByLabel("select all found").click();
    await page.getByRole("button", { name: "Compare 3 selected" }).click();
    await page.getByRole("tab", { name: "Matrix" }).click();
    const matrix = page.getByRole("tabpanel").getByRole("row", { name: /^correct / });
    await matrix.getByRole("cell", { name: /^53\.8% \S+$/ }).waitFor();
    await matrix.getByRole("cell", { name: /^83\.2% \S+ ▲ \+29\.4 pt improved$/ }).waitFor();
  });

  test("prints the verdict with all scores and notes, how it was computed, and no controls", async () => {
    await go(`${COMPARISON}?f=inputs.kind~eq~"rate"`);
    await page.locator(".took", { hasText: /^20 rows$/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".path-diff, .side-by-side").first().waitFor();
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.getByText("Paired: 20 shared rows; interval by").waitFor();
    await page.getByText(/^fewer than 30 rows: intervals of/).waitFor();
    expect(await page.locator(".scores tbody tr").count()).toBe(7);
    expect(
      await page
        .locator("nav, .tabs, .chip:not(.condition, .small), .warnings summary")
        .filter({ visible: true })
        .count(),
    ).toBe(0);
    // The row is not on top of what is above it.
    const [scores, drawer] = await Promise.all(
      [".scores", ".drawer"].map((part) => page.locator(part).boundingBox()),
    );
    expect(drawer!.y).toBeGreaterThanOrEqual(scores!.y + scores!.height);
    await page.emulateMedia({ media: null });
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.locator(".scores tbody tr").nth(5).waitFor({ state: "detached" });
  });

  test("a shared link contains the evaluations and the position of the open row", async () => {
    await go(COMPARISON);
    await rows().nth(3).click();
    await page.getByLabel("Row 4 of 240").waitFor();
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => {
        document.body.dataset["copied"] = text;
      };
    });
    await page.getByRole("button", { name: "Share" }).click();
    await page.locator(".toast", { hasText: "copied the link" }).waitFor();
    const link = await page.evaluate(() => document.body.dataset["copied"]!);
    expect(link.match(/[?&]e=/g)).toHaveLength(2);
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByLabel("Row 4 of 240").waitFor();
  });

  test("continues with one evaluation, without filters that need a pair, and goes back", async () => {
    await go(`${COMPARISON}?change=worse`);
    await rows().first().waitFor();
    const worse = await taken();
    await page
      .getByLabel(/^remove /)
      .first()
      .click();
    await page.locator(".took", { hasText: /^240 rows/ }).waitFor();
    await page.getByText("correct: 83.2% (95% CI 78.2 to 87.2), 240 rows.").waitFor();
    await page.goBack();
    await page.locator(".took", { hasText: worse }).waitFor();
  });

  test("says beside the verdict that evaluations share no rows", async () => {
    const lines = [...evaluationLines("own", [true, false]), ...evaluationLines("other", [true, true], 1000)];
    const apart = lines.map((line) => (line.includes('"other"') ? line.replaceAll("/row", "/else") : line));
    await post("/v2/acme/apart/calls/import", apart.join("\n"), "application/x-ndjson");
    await go("#/acme/apart/compare?e=own&e=other");
    await page
      .getByText("the evaluations share no rows, so they are compared as independent samples")
      .waitFor();
  });

  test("shows why a trial failed, and the attributes that were logged with it", async () => {
    const at = "2026-01-01T00:00:00Z";
    const trial = (id: string, question: string, ended: object) => ({
      ...{ id, parent_id: "failing", op_name: "Evaluation.predict_and_score", started_at: at, ended_at: at },
      ...{ inputs: { example: { question } }, output: null, ...ended },
    });
    const calls = [
      { id: "failing", op_name: "Evaluation.evaluate", started_at: at, ended_at: at, inputs: {} },
      trial("failing-1", "why?", {
        exception: "ValueError: <b>too long</b>",
        attributes: { cost: 0.25, weave: { seen: 1 } },
      }),
      trial("failing-2", "how?", { exception: "TimeoutError" }),
      trial("failing-3", "how?", { output: { output: "slowly", scores: {} } }),
    ];
    const lines = calls.map((call) => JSON.stringify(call)).join("\n");
    await post("/v2/acme/failing/calls/import", lines, "application/x-ndjson");
    await go("#/acme/failing/compare");
    const row = (question: string) => rows().filter({ hasText: question });
    expect(await row("how?").innerText()).toContain("slowly");
    expect(await row("why?").innerText()).toContain("no output");
    await row("why?").click();
    const drawer = page.getByLabel(/^Row \d of 2$/);
    await drawer.getByText("✗ ValueError: <b>too long</b>").waitFor();
    expect(await drawer.locator(".trace").innerText()).toMatch(/cost\s+0\.25/);
    expect(await drawer.locator(".trace").innerText()).not.toContain("seen");
  });

  test("shows conversations by turn, marks the words that changed, and wraps what judges say", async () => {
    const calls = ["one", "two"].flatMap((id, at) => {
      const times = { started_at: `2026-01-0${at + 1}T00:00:00Z`, ended_at: `2026-01-0${at + 1}T00:00:01Z` };
      const messages = [
        {
          role: "assistant",
          content: null,
          tool_calls: [{ function: { name: "find", arguments: `{"id":${at}}` } }],
        },
        { role: "tool", content: '{"state":"sent"}' },
        { role: "assistant", content: `It is sent ${at === 0 ? "today" : "tomorrow"} by post.` },
      ];
      const asked = [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Where is it?" },
      ];
      const scores = { resolved: at === 0, reason: "The answer names the state. ".repeat(20) };
      return [
        { id, op_name: "Evaluation.evaluate", inputs: {}, ...times },
        {
          ...{ id: `${id}-1`, parent_id: id, op_name: "Evaluation.predict_and_score", ...times },
          ...{
            inputs: { example: { messages: asked, expected: "It is sent now by post." } },
            output: { output: { messages }, scores },
          },
        },
      ];
    });
    const lines = calls.map((call) => JSON.stringify(call)).join("\n");
    await post("/v2/acme/chats/calls/import", lines, "application/x-ndjson");
    await go("#/acme/chats/compare?e=one&e=two");
    await rows()
      .filter({ hasText: /^Where is it\?/ })
      .getByText("It is sent tomorrow by post.")
      .waitFor();
    await rows().first().click();
    const drawer = page.locator(".drawer");
    await drawer.locator("del", { hasText: /^today$/ }).waitFor();
    await drawer.locator("ins", { hasText: /^tomorrow$/ }).waitFor();
    await drawer.getByText("assistant calls find").waitFor();
    await drawer.getByText("tool equal").waitFor();
    // Each answer can be compared with the expected one instead.
    await drawer.getByRole("button", { name: "against expected" }).click();
    await drawer.getByText("assistant calls find").waitFor({ state: "detached" });
    await drawer.locator("del", { hasText: /^now$/ }).waitFor();
    await page.reload();
    await drawer.locator("del", { hasText: /^now$/ }).waitFor();
    expect(await drawer.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  });

  test("filters by typed conditions, and shows what each filter excludes if nothing is left", async () => {
    await go(COMPARISON);
    await rows().first().waitFor();
    await page.keyboard.press("f");
    const form = page.getByRole("form", { name: "Add a filter" });
    await form.getByLabel("field").fill("inputs.kind");
    await form.getByLabel("value").fill("in words");
    await form.getByRole("button", { name: "Add filter" }).click();
    await page.locator(".took", { hasText: /^20 rows/ }).waitFor();
    // Text typed without looking replaces the field's content, and a field can be given by its short name on the chip.
    for (const [field, value, chip] of [
      ["inputs.kind", "thousands", "kind = thousands"],
      ["kind", "thousands", "kind = thousands"],
      ["scores.correct", "false", "correct = false"],
    ] as const) {
      await go(COMPARISON);
      await rows().first().waitFor();
      await page.keyboard.press("f");
      await form.locator("#filter-fields option").nth(2).waitFor({ state: "attached" });
      await page.keyboard.type(field);
      for (const key of ["Tab", "Tab"]) await page.keyboard.press(key);
      await page.keyboard.type(value);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: `remove the filter ${chip}` }).waitFor();
      if (value === "thousands") await page.locator(".took", { hasText: /^20 rows/ }).waitFor();
    }
    // Closing the form returns the focus to where it was.
    const add = page.getByRole("button", { name: "+ filter" });
    await add.focus();
    for (const key of ["Enter", "Escape"]) await page.keyboard.press(key);
    await form.waitFor({ state: "detached" });
    expect(await add.evaluate((button) => button === document.activeElement)).toBe(true);
    await go(`${COMPARISON}?f=inputs.kind~eq~"in words"&f=inputs.kind~eq~"nothing"`);
    await page.getByRole("heading", { name: "No row matches all filters" }).waitFor();
    await page.getByText("without it: 20 rows").waitFor();
    await page.getByText("without it: 0 rows").waitFor();
    await page
      .getByRole("tabpanel")
      .getByRole("button", { name: "remove the filter kind = nothing" })
      .click();
    await page.locator(".took", { hasText: /^20 rows/ }).waitFor();
  });

  test("filters by a text, which it completes, whose errors it points at, and which can be changed", async () => {
    const input = page.getByRole("combobox", { name: "condition" });
    // A condition may be written before its fields are loaded.
    let load = (): void => {};
    const loading = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route("**/eval_results/fields", (route) => loading.then(() => route.continue()));
    await go(`${COMPARISON}?sort=best_first`);
    await rows().first().waitFor();
    await page.keyboard.press("f");
    await page.getByRole("button", { name: "write a text" }).click();
    await input.fill('kind = "rate"');
    await page.keyboard.press("Enter");
    await page.getByText("loading the fields …").waitFor();
    load();
    await page.locator(".took", { hasText: /^20 rows$/ }).waitFor();
    await page.unroute("**/eval_results/fields");
    await go(COMPARISON);
    await rows().first().waitFor();
    await page.keyboard.press("f");
    await page.getByRole("button", { name: "write a text" }).click();
    await input.pressSequentially("ki");
    const take = async (option: string | RegExp) => {
      await page.getByRole("option", { name: option }).first().waitFor();
      for (const key of ["ArrowDown", "Enter"]) await page.keyboard.press(key);
    };
    await take(/^inputs\.kind /);
    await input.pressSequentially('= "de');
    await take(/^"decimal comma"/);
    await input.pressSequentially("&& not correct");
    await page.keyboard.press("Enter");
    const error = page.getByRole("alert");
    expect(await error.innerText()).toBe(
      'inputs.kind = "decimal comma" && not correct\n                              ^\nwrite and here, not &&',
    );
    await input.fill('inputs.kind = "decimal comma" or kind = "thousands" and not correct');
    await page.keyboard.press("Enter");
    // 20 rows of one kind, and 15 of another.
    await page.locator(".took", { hasText: /^35 rows$/ }).waitFor();
    await page.reload();
    await page.locator(".took", { hasText: /^35 rows$/ }).waitFor();
    await page.getByRole("button", { name: /^edit the filter inputs\.kind = "decimal comma"/ }).click();
    await expect.poll(() => input.inputValue()).toContain('or inputs.kind = "thousands" and ');
    await input.fill("kind = rate");
    await page.keyboard.press("Enter");
    await error.getByText('there is no field rate; a text is in quotes: "rate"').waitFor();
    await input.fill('kind = "rate"');
    await page.keyboard.press("Enter");
    await page.locator(".took", { hasText: /^20 rows$/ }).waitFor();
  });

  test("shows the distribution of a score as bars, each of which opens its rows", async () => {
    await go(COMPARISON);
    await rows().first().waitFor();
    await page.getByRole("button", { name: /improved on correct/ }).click();
    const bar = page.getByRole("button", { name: "−100 pt: 21 rows" });
    await bar.click();
    await page.locator(".took", { hasText: /^21 rows/ }).waitFor();
    await page.getByText("Of all 240 rows, not only those selected by score below").waitFor();
    await page.goBack();
    await page.getByText("21 rows are flaky: their trials disagree.", { exact: false }).waitFor();
  });

  test("exports what it shows: rows as a table, and itself as a file whose size it shows first", {
    tags: ["long"],
  }, async () => {
    await go(`${COMPARISON}?f=inputs.kind~eq~"thousands"`);
    await page.locator(".took", { hasText: /^20 rows/ }).waitFor();
    await page.keyboard.press("e");
    const menu = page.getByRole("region", { name: "Export" });
    expect(await menu.innerText()).not.toContain("biased");
    const saved = async (press: Promise<void>) => {
      const [download] = await Promise.all([page.waitForEvent("download"), press]);
      return [download.suggestedFilename(), readFileSync(await download.path(), "utf8")] as const;
    };
    const [table, lines] = await saved(menu.getByRole("button", { name: "JSON lines" }).click());
    expect(table).toBe("rows.jsonl");
    const digests = lines
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { row_digest: string });
    expect(new Set(digests.map(({ row_digest }) => row_digest)).size).toBe(20);
    await menu.getByLabel("redact").fill("inputs.text");
    await menu.getByRole("button", { name: "Create file" }).click();
    await menu
      .getByText(
        /^\d+ KB\. Anyone with this file can read all inputs, outputs and scores of these rows, except inputs\.text/,
      )
      .waitFor();
    const [name, html] = await saved(menu.getByRole("button", { name: "Save compared.html" }).click());
    expect([name, html.slice(0, 15)]).toEqual(["compared.html", "<!doctype html>"]);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
  });

  test("opens files that are dropped on it, only in this browser", { tags: ["long"] }, async () => {
    await go(COMPARISON);
    // The marks appear with the comparison, the last of the page's own requests.
    await rows().first().getByText("▼").first().waitFor();
    const posted: string[] = [];
    const listener = (request: { method(): string; url(): string }) =>
      posted.push(`${request.method()} ${request.url()}`);
    page.on("request", listener);
    await page.locator("main").evaluate((main) => {
      const dropped = new DataTransfer();
      for (const [name, good] of [
        ["old", false],
        ["new", true],
      ] as const)
        dropped.items.add(
          new File([`question,output,correct\none,${name} 1,true\ntwo,${name} 2,${good}\n`], `${name}.csv`),
        );
      for (const kind of ["dragover", "drop"])
        main.dispatchEvent(new DragEvent(kind, { dataTransfer: dropped, bubbles: true, cancelable: true }));
    });
    await page.getByText("2 files, opened here", { exact: true }).waitFor();
    await page.locator(".took", { hasText: /^2 rows/ }).waitFor();
    await page.getByText("1 row better").waitFor();
    page.off("request", listener);
    expect(posted.filter((one) => !/^GET .*\/assets\//.test(one))).toEqual([]);
    await page.reload();
    await page.getByText("reloading the page closed these files").waitFor();
    await page.goto(`${open.url}/#/~open`);
    const table = FIXTURES.flatMap(({ files }) => files).find(({ path }) => path === "long.parquet")!;
    const buffer = Buffer.from(await table.read(0, table.size));
    const parquet = { name: table.path, mimeType: "application/octet-stream", buffer };
    const dropBox = page.getByLabel("files to open");
    await dropBox.setInputFiles([parquet, { ...parquet, name: "again.parquet" }]);
    await page.locator(".took", { hasText: /^2 rows/ }).waitFor();
    // The YAML parser is loaded on demand.
    const yaml = FIXTURES.flatMap(({ files }) => files).find(({ path }) => path === "out.yaml")!;
    await page.goto(`${open.url}/#/~open`);
    await dropBox.setInputFiles({
      ...parquet,
      name: yaml.path,
      buffer: Buffer.from(await yaml.read(0, yaml.size)),
    });
    await page.getByText("out.yaml, opened here", { exact: true }).waitFor();
    // An exported page can be opened as data, too.
    const exported = join(open.data, "dropped.html");
    const args = ["export", "examples/units-parser", "--format", "html", "--output", exported];
    await promisify(execFile)(process.execPath, [COMMAND, ...args, "--data", open.data]);
    await page.goto(`${open.url}/#/~open`);
    await dropBox.setInputFiles(exported);
    await page.locator(".took", { hasText: /^240 rows/ }).waitFor();
    await page.goto(`${open.url}/#/~open`);
    await page.getByLabel("files to open").setInputFiles({
      name: "picture.png",
      mimeType: "image/png",
      buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]),
    });
    await page.getByText("Can't open this file").first().waitFor();
    open.errors.splice(0, open.errors.length, ...open.errors.filter((one) => !one.includes("404")));
  });

  test("can be embedded in any page, as the README of its package says", {
    tags: ["long"],
  }, async () => {
    const readme = readFileSync(join(ROOT, "packages/web/README.md"), "utf8");
    const [, example] = /```js\n(import \{ mountPage \}[\s\S]*?)```/.exec(readme)!;
    const files = join(ROOT, "packages/web/dist/files");
    const script = example!
      .replace('"@assay/web/page"', '"/own/mount.js"')
      .replace('import "@assay/web/page.css";', "");
    const html = `<!doctype html><link rel="stylesheet" href="/own/page.css"><h1>Ours</h1><div id="results"></div>
<script type="module">${script}; globalThis.leave = leave;</script>`;
    const embedding = await open.page();
    await embedding.route(`${open.url}/own/*`, (route) => {
      const name = route.request().url().split("/").at(-1)!;
      return name === "page.html"
        ? route.fulfill({ body: html, contentType: "text/html" })
        : route.fulfill({ path: join(files, name) });
    });
    await embedding.goto(`${open.url}/own/page.html${COMPARISON}`);
    await embedding.locator("#results .grid .row:not(.waiting)").first().waitFor();
    await embedding.locator("#results .sentence").waitFor();
    await embedding.evaluate(() => (globalThis as unknown as { leave(): void }).leave());
    expect(await embedding.locator("#results *").count()).toBe(0);
    expect(await embedding.locator("h1").innerText()).toBe("Ours");
    await embedding.context().close();
  });

  test("shows the runs that a training program logs, and their curves as they grow", {
    tags: ["long"],
  }, async () => {
    const { mutate, send } = wireClient(open.url);
    const run = {
      entityName: "examples",
      modelName: "units-parser",
      name: "warm",
      displayName: "warm start",
    };
    await mutate(
      "upsertBucket",
      { ...run, config: JSON.stringify({ rate: { value: 0.1 } }) },
      "bucket { id }",
    );
    const log = (offset: number, lines: readonly object[]) =>
      send("POST", "/files/examples/units-parser/warm/file_stream", {
        files: {
          "wandb-history.jsonl": { offset, content: lines.map((line) => JSON.stringify(line)) },
        },
      });
    await log(0, [
      { _step: 0, _runtime: 1, loss: 2 },
      { _step: 1, _runtime: 2, loss: 1.5, reward: 0.25 },
    ]);
    await go("#/examples/units-parser/runs");
    await page.getByRole("link", { name: "warm start" }).click();
    await page.locator(".curve figcaption", { hasText: "reward 0.25 at step 1" }).waitFor();
    await page.locator(".curve figcaption", { hasText: "loss 1.5 at step 1" }).waitFor();
    expect(await page.locator(".curve").count()).toBe(2);
    await log(2, [{ _step: 5, loss: 0.5 }]);
    await page.locator(".curve figcaption", { hasText: "loss 0.5 at step 5" }).waitFor();

    await mutate(
      "upsertBucket",
      { ...run, name: "cold", displayName: "cold start", config: JSON.stringify({ rate: { value: 0.2 } }) },
      "bucket { id }",
    );
    await go("#/examples/units-parser/runs");
    await page.getByLabel("select cold start").check();
    await page.getByLabel("select warm start").check();
    await page.getByRole("button", { name: "Compare 2" }).click();
    expect(await page.locator("tr", { hasText: "rate" }).innerText()).toMatch(/^rate\s+0\.2\s+0\.1$/);
    await page.locator(".curve figcaption", { hasText: /loss\s+B\s+0\.5/ }).waitFor();
    await page.getByRole("link", { name: "cold start" }).click();
    await page.getByRole("heading", { name: "Run cold start" }).waitFor();
  });

  test("opens evaluations and calls at the addresses that weave prints", { tags: ["long"] }, async () => {
    const [root, trial] = evaluationLines("printed", [true]).map(
      (line) => JSON.parse(line) as { id: string },
    );
    const lines = [root, trial].map((call) => JSON.stringify(call)).join("\n");
    await post("/v2/acme/printed/calls/import", lines, "application/x-ndjson");
    await go("acme/printed/weave");
    await page.getByRole("heading", { name: "Calls of acme/printed" }).waitFor();
    expect(await page.locator(".list tbody tr").count()).toBe(1);
    await go(`acme/printed/r/call/${trial!.id}`);
    await page.getByRole("heading", { name: "Evaluation.predict_and_score" }).waitFor();
    await page.getByRole("link", { name: "the call above it" }).click();
    await page.locator(".took", { hasText: /^1 row$/ }).waitFor();
    expect(page.url()).toBe(`${open.url}/#/acme/printed/compare?e=${root!.id}`);
  });

  test("reports when the server is gone, keeps its content, and continues when it is back", {
    tags: ["long"],
  }, async () => {
    const apart = await open.page();
    await apart.clock.install();
    await go(COMPARISON, apart);
    // The marks appear with the comparison, after the rows.
    await rows(apart).first().getByText("▼").first().waitFor();
    const shown = await rows(apart).first().innerText();
    await apart.context().setOffline(true);
    await apart.keyboard.press("w");
    await apart.getByText("the server does not answer").waitFor();
    expect(await rows(apart).first().innerText()).toBe(shown);
    await apart.context().setOffline(false);
    await open.restart();
    // Without a click: the page asks again after a while.
    await apart
      .getByText(/retrying in \d s/)
      .first()
      .waitFor();
    await apart.clock.runFor(5000);
    await apart.locator(".took", { hasText: /^26 of 240/ }).waitFor();
    await apart.getByText("the server does not answer").waitFor({ state: "detached" });
    await apart.context().close();
    const lost = /ERR_(?:INTERNET_DISCONNECTED|CONNECTION_REFUSED)/;
    open.errors.splice(0, open.errors.length, ...open.errors.filter((one) => !lost.test(one)));
  });

  test("answers chats side by side, and shows jobs, models, usage and keys", { tags: ["long"] }, async () => {
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
      if (view === "usage") await page.getByRole("cell", { name: "no price", exact: true }).first().waitFor();
    }
    const priced = { requests: 4, cost_usd: "0.0123", unpriced_requests: 1 };
    const line = { day: "2026-11-22", key: "k1", key_name: "The nightly run", ...priced };
    const report = { object: "list", data: [line], lost_records: 2 };
    await page.route("**/v1/usage?*", (route) => route.fulfill({ json: report }));
    await go("#/~usage");
    await page.getByRole("columnheader", { name: "cost", exact: true }).waitFor();
    await page.getByRole("cell", { name: "$0.0123 excluding 1 without a price" }).waitFor();
    await page.getByRole("cell", { name: "The nightly run (k1)" }).waitFor();
    await page.getByText("2 records are damaged or missing, and not included").waitFor();
    await page.unroute("**/v1/usage?*");

    const answers = {
      "": { id: "m1", entity: "acme", project: "demo", name: "speller", base_model: "assay/tiny" },
      "/checkpoints?limit=100": {
        data: [0.5, 0.25].map((loss, at) => ({ id: `c${at}`, step: at + 1, metrics: { loss } })),
        has_more: false,
      },
      "/aliases": { data: [{ alias: "best", step: 2 }] },
    };
    for (const [path, json] of Object.entries(answers))
      await page.route(`${open.url}/v1/preview/models/m1${path}`, (route) => route.fulfill({ json }));
    await go("#/~models/m1");
    await page.getByRole("rowheader", { name: "2 best" }).waitFor();
    await page.locator(".curve figcaption", { hasText: "loss 0.25 at step 2" }).waitFor();
  });

  test("shows the progress of a running evaluation, and moves no row by itself", {
    tags: ["long"],
  }, async () => {
    const [root, ...trials] = evaluationLines("live", [true, false, true]);
    const running = JSON.stringify({ ...JSON.parse(root!), ended_at: null });
    const path = "/v2/acme/live/calls/import";
    await post(path, [running, trials[0]].join("\n"), "application/x-ndjson");
    await go("#/acme/live/compare");
    await page.getByText("● 1 trial").waitFor();
    await page.locator(".took", { hasText: /^1 row$/ }).waitFor();
    await post(path, trials.slice(1).join("\n"), "application/x-ndjson");
    await page.getByText("● 3 trials").waitFor();
    expect(await taken()).toMatch(/^1 row$/);
    await page.keyboard.press("u");
    await page.locator(".took", { hasText: /^3 rows/ }).waitFor();
  });

  test("stays open for a day over one connection, without growing memory", { tags: ["long"] }, async () => {
    const [root, ...trials] = evaluationLines(
      "day",
      Array.from({ length: 13 }, () => true),
    );
    const running = JSON.stringify({ ...JSON.parse(root!), ended_at: null });
    const path = "/v2/acme/day/calls/import";
    await post(path, [running, trials[0]].join("\n"), "application/x-ndjson");
    const day = await open.page();
    const followed: string[] = [];
    let asked = 0;
    day.on("request", (request) => {
      asked++;
      if (request.url().includes("/watch")) followed.push(request.url());
    });
    // Replaces only the page's clock, so that two hours of its timers passes immediately.
    await day.clock.install();
    await go("#/acme/day/compare", day);
    await day.getByText("● 1 trial").waitFor();
    const devtools = await day.context().newCDPSession(day);
    await devtools.send("Performance.enable");
    const heap = async (): Promise<number> => {
      await devtools.send("HeapProfiler.collectGarbage");
      const { metrics } = await devtools.send("Performance.getMetrics");
      return metrics.find(({ name }) => name === "JSHeapUsedSize")!.value;
    };
    let before = 0;
    // The server reports progress once per second, which is most of the time that this takes.
    for (let trial = 1; trial <= 12; trial++) {
      await post(path, trials[trial]!, "application/x-ndjson");
      await day.clock.runFor("02:00:00");
      await day.getByText(`● ${trial + 1} trials`).waitFor();
      if (trial === 4) before = await heap();
    }
    expect(followed).toHaveLength(1);
    expect(asked).toBeLessThan(60);
    expect((await heap()) / before).toBeLessThan(1.05);
    await day.context().close();
  });

  test("renders all data as plain text", { tags: ["long"] }, async () => {
    await post("/v2/acme/hostile/calls/import", hostileLines(), "application/x-ndjson");
    for (const at of [
      "#/acme/hostile",
      "#/acme/hostile/compare",
      "#/acme/hostile/compare?tab=slices",
      "#/acme/hostile/compare?tab=matrix",
      "#/acme/hostile/compare?tab=distribution",
      "#/acme/hostile/compare?tab=ranking",
      "#/acme/hostile/compare?f=<img src=x onerror=pwned=1>~eq~1",
    ]) {
      await go(at);
      await page.locator(".took, .panel, .matrix-box, .list, .notice").first().waitFor();
    }
    await go("#/acme/hostile/compare?sort=digest");
    await rows().first().waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".drawer .fields").waitFor();
    for (let at = 2; at <= PAYLOADS.length; at++) {
      await page.keyboard.press("j");
      await page.getByRole("complementary", { name: `Row ${at} of ${PAYLOADS.length}` }).waitFor();
    }
    expect(await page.evaluate(() => "pwned" in globalThis)).toBe(false);
    expect(await page.locator("img, iframe, script:not([type=module]), a[href^='javascript']").count()).toBe(
      0,
    );
    const text = await page.locator("body").innerText();
    expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
    forgetRefusals();
  });

  test("marks results of the previous query if the next one is refused", async () => {
    await go(COMPARISON);
    await rows().first().waitFor();
    expect(await page.locator(".outdated").count()).toBe(0);
    const ask = (at: string) => page.evaluate((hash) => location.assign(hash), at);
    await ask(`${COMPARISON}?f=<no field>~eq~1`);
    await page.getByRole("alert").getByText("Invalid request").waitFor();
    await page.getByText("The results below answer the previous question.").waitFor();
    expect(await page.locator(".hero.outdated, .stage.outdated").count()).toBe(2);
    await ask(COMPARISON);
    await page.getByRole("alert").waitFor({ state: "detached" });
    expect(await page.locator(".outdated").count()).toBe(0);
    forgetRefusals();
  });

  test("has no axe violations, in both themes", { tags: ["long"] }, async () => {
    const themed = await open.page();
    const found: string[] = [];
    for (const [at, until] of [
      [COMPARISON, ".grid .row"],
      [`${COMPARISON}?tab=slices`, ".slices"],
      [`${COMPARISON}?tab=matrix`, ".matrix"],
      [`${COMPARISON}?tab=ranking`, ".panel table"],
      [`${COMPARISON}?tab=distribution`, ".histogram"],
      ["#/examples/units-parser", ".score-mean"],
      ["#/examples/units-parser/runs", ".list, .notice"],
      ["#/examples/units-parser/calls", ".list"],
      ["#/", ".list, .grid .row"],
      ["#/acme/nothing", ".notice"],
      ["#/~training", ".page"],
      ["#/~models", ".page"],
      ["#/~usage", ".page"],
      ["#/~open", ".drop-box"],
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
      for (const colorScheme of ["light", "dark"] as const) {
        await themed.emulateMedia({ colorScheme });
        // The other theme differs only in colours, so only colour rules apply.
        const ofColours = { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } };
        const rules = colorScheme === "light" ? {} : ofColours;
        const violations = await themed.evaluate(async (options) => {
          const { axe: loaded } = globalThis as unknown as {
            axe: {
              run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
            };
          };
          const { violations: some } = await loaded.run(options);
          return some.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 200)}`);
        }, rules);
        found.push(...violations.map((one) => `${at}, ${colorScheme}: ${one}`));
      }
    }
    await themed.context().close();
    expect(found).toEqual([]);
  });

  test("fits a phone and a small screen", { tags: ["long"] }, async () => {
    const narrow = await open.page({ width: 320 });
    for (const at of [COMPARISON, "#/examples/units-parser"]) {
      await go(at, narrow);
      await narrow.locator(".grid .row, .list").first().waitFor();
      for (const width of [320, 900, 1280, 2560]) {
        await narrow.setViewportSize({ width, height: 900 });
        const wider = await narrow.evaluate(async () => {
          // Size observers have drawn by the second frame.
          for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
          return [innerWidth, document.documentElement.scrollWidth - innerWidth] as const;
        });
        expect([at, wider[0], Math.max(0, wider[1])]).toEqual([at, width, 0]);
      }
    }
    await narrow.context().close();
  });

  test("keeps the verdict in view and its lines whole in a small window, with three evaluations", async () => {
    const { evaluations } = (await (
      await fetch(`${open.url}/v2/examples/units-parser/eval_results/evaluations`)
    ).json()) as { readonly evaluations: readonly { readonly id: string }[] };
    const small = await open.page({ width: 920 });
    await small.setViewportSize({ width: 920, height: 620 });
    await go(`${COMPARISON}?${evaluations.map(({ id }) => `e=${id}`).join("&")}`, small);
    await small.locator(".grid .row").first().waitFor();
    const beyond = () => small.locator(".scores").evaluate((box) => box.scrollWidth - box.clientWidth);
    const wider = await beyond();
    const cut = await small
      .locator(".evaluation-bar, .toolbar")
      .evaluateAll((all) => all.map((one) => one.scrollHeight - one.clientHeight));
    expect([wider, cut]).toEqual([0, [0, 0]]);
    await small.setViewportSize({ width: 390, height: 844 });
    await expect.poll(beyond).toBe(0);
    await small.context().close();
  });

  test("fits with text at twice the size", { tags: ["long"] }, async () => {
    const large = await open.page({ width: 1280 });
    for (const at of [COMPARISON, `${COMPARISON}?tab=distribution`, "#/examples/units-parser", "#/~open"]) {
      await go(at, large);
      await large.evaluate(() => document.documentElement.style.setProperty("font-size", "26px"));
      await large.locator(".grid .row, .list, .histogram, .drop-box").first().waitFor();
      const wider = await large.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([at, Math.max(0, wider)]).toEqual([at, 0]);
      const cut = await large
        .locator("button:visible, .sentence, .grid .cell:visible")
        .evaluateAll((all) =>
          all.flatMap((one) =>
            one.scrollWidth > one.clientWidth + 1 && !one.matches(".name, .cell")
              ? one.outerHTML.slice(0, 200)
              : [],
          ),
        );
      expect([at, cut]).toEqual([at, []]);
    }
    await large.context().close();
  });

  test("caused no browser errors, and contacted no other host", () => {
    expect(open.errors).toEqual([]);
  });

  // Must be the last test, because the server requires a key afterwards.
  test("asks for a key if one is required, and reads one from the address", {
    tags: ["long"],
  }, async () => {
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

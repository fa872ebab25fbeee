// Property tests of the page: over random projects and filters, every count opens that number of rows, every verdict is
// the endpoint's, every address restores the same page, and memory does not grow with use. ASSAY_PAGE_RUNS sets the
// number of runs; `npm run test:page` runs at full length.

import type { CompareResults } from "@assay/eval-engine";
import { scoredWorld } from "@assay/eval-engine/testing";
import { measureName, verdictSentence } from "@assay/eval-engine/words";
import fc from "fast-check";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER, type OpenPage, openPage } from "./open-page.ts";

/** The number of random filters, and of rounds of gestures. */
const RUNS = Number(process.env["ASSAY_PAGE_RUNS"] ?? 4);
/** The number of random projects in which every count is clicked; one in a short run. */
const PROJECTS = process.env["ASSAY_PAGE_RUNS"] === undefined ? 1 : RUNS;
const SEED = Number(process.env["ASSAY_SEED"] ?? 18);
const EXAMPLE = "examples/units-parser";

describe.skipIf(NO_BROWSER !== undefined)("what the page shows", () => {
  let open: OpenPage;
  let page: Page;
  beforeAll(async () => {
    open = await openPage();
    page = await open.page();
    await page.goto(`${open.url}/`);
  });
  afterAll(() => open?.close());

  const at = (fragment: string) =>
    page.evaluate(async (hash) => {
      location.hash = hash;
      // The page shows its busy state from the next frame.
      for (let frame = 0; frame < 2; frame++) await new Promise((next) => requestAnimationFrame(next));
    }, fragment);
  const settled = async () => {
    await page.locator(".busy.on").waitFor({ state: "detached" });
  };
  const hasRows = (count: number) =>
    page.locator(".took", { hasText: new RegExp(`^${count.toLocaleString("en")} (?:of|rows?)`) }).waitFor();
  const ask = async <T>(path: string, body: unknown): Promise<T> => {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(`${open.url}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers,
    });
    expect(response.status).toBe(200);
    return (await response.json()) as T;
  };
  const isMeasured = async (project: string, query: object, measure: string): Promise<boolean> => {
    const response = await fetch(`${open.url}/v2/${project}/eval_results/page`, {
      method: "POST",
      body: JSON.stringify({ query, measure }),
      headers: { "Content-Type": "application/json" },
    });
    return response.status === 200;
  };
  const load = async (project: string, what: "calls" | "rows", items: readonly object[]) => {
    const body = items.map((item) => JSON.stringify(item)).join("\n");
    const headers = { "Content-Type": "application/x-ndjson" };
    await fetch(`${open.url}/v2/${project}/${what}/import`, { method: "POST", body, headers });
  };
  /**
   * Clicks each element that the locator finds, always from the same address, and checks the number of rows that it
   * opens.
   */
  const opens = async (fragment: string, buttons: string, most: number) => {
    await at(fragment);
    await page.locator(buttons).first().waitFor();
    await settled();
    const names = await page
      .locator(buttons)
      .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? one.textContent ?? ""));
    const counts = names.map((name) => {
      const [, count] = /([\d,]+)(?: rows?)?(?: \w+)?$/.exec(name) ?? [];
      if (count === undefined) throw new Error(`"${name}" at ${fragment} has no count`);
      return Number(count.replace(",", ""));
    });
    for (const [index, count] of counts.slice(0, most).entries()) {
      await at(fragment);
      await page.locator(buttons).nth(index).click();
      await hasRows(count);
    }
    return counts.length;
  };

  test("every count opens exactly that number of rows, in random projects", async () => {
    const worlds = fc.sample(scoredWorld, { numRuns: PROJECTS, seed: SEED });
    for (const [index, { calls, rows }] of worlds.entries()) {
      const project = `random/w${index}`;
      await load(project, "rows", rows);
      await load(project, "calls", calls);
      const { evaluations } = (await (
        await fetch(`${open.url}/v2/${project}/eval_results/evaluations`)
      ).json()) as { evaluations: { id: string; rows: number }[] };
      const [first, second] = evaluations.filter((one) => one.rows > 0);
      if (first === undefined || second === undefined) continue;
      // In a random project, the chosen score may have no value, which the page reports.
      const evaluation_call_ids = [first.id, second.id];
      if (!(await isMeasured(project, { evaluation_call_ids }, "scores.t.a"))) continue;
      const pair = `#/${project}/compare?e=${first.id}&e=${second.id}&s=scores.t.a`;
      expect(await opens(pair, ".changes .chip", 8)).toBeGreaterThan(0);
      const spread = await opens(`${pair}&tab=distribution`, ".bar:not([disabled])", 8);
      expect(spread).toBeGreaterThan(0);
    }
  });

  test("the verdict is the endpoint's for the filtered rows, and a reload shows the same", async () => {
    const { evaluations } = (await (
      await fetch(`${open.url}/v2/${EXAMPLE}/eval_results/evaluations`)
    ).json()) as { evaluations: { id: string; name: string }[] };
    const [, before, newest] = evaluations as [
      unknown,
      { id: string; name: string },
      { id: string; name: string },
    ];
    const ids = evaluations.map(({ id }) => id);
    const kinds = [
      "plain",
      "thousands",
      "in words",
      "compound",
      "rate",
      "fraction",
      "misspelled",
      "prefixed",
    ];
    const filters = fc.sample(
      fc.record({
        field: fc.constantFrom("inputs.kind", "inputs.expected.unit", "inputs.expected.value"),
        text: fc.constantFrom(...kinds, "m", "s", "kg", "L"),
        bound: fc.constantFrom(0.1, 1, 6.3, 100, 5000),
        op: fc.constantFrom("ne", "ge", "lt"),
        measure: fc.constantFrom("scores.correct", "scores.magnitudes_off", "scores.parts.unit.same"),
      }),
      { numRuns: RUNS, seed: SEED },
    );
    for (const [index, { field, text, bound, op, measure }] of filters.entries()) {
      const isNumber = field.endsWith("value");
      const value = isNumber ? bound : text;
      const used = isNumber ? (op === "ne" ? "ge" : op) : "ne";
      const operands = [{ $getField: field }, { $literal: value }];
      const $expr =
        used === "ne"
          ? { $not: [{ $eq: operands }] }
          : used === "ge"
            ? { $gte: operands }
            : { $gt: [operands[1], operands[0]] };
      const query = { evaluation_call_ids: ids, filters: [{ query: { $expr } }] };
      const compared = await ask<CompareResults>(`/v2/${EXAMPLE}/eval_results/compare`, {
        query,
        baseline: before.id,
      });
      const found = compared.comparisons
        .find(({ candidate }) => candidate === newest.id)!
        .measures.find((one) => one.field === measure)!;
      const chip = `${field}~${used}~${JSON.stringify(value)}`;
      await at(`#/${EXAMPLE}/compare?s=${measure}&f=${encodeURIComponent(chip)}`);
      await settled();
      await hasRows(compared.row_count);
      const sentence = verdictSentence(
        { baseline: before.name, candidate: newest.name },
        found,
        compared.level,
      );
      await page.locator(".sentence", { hasText: sentence }).waitFor();
      const counts = [found.wins, found.losses, found.ties].map((count) => count?.toLocaleString("en"));
      const shownCounts = await page.locator(".counts").innerText();
      if (found.wins !== null)
        expect(shownCounts).toMatch(
          new RegExp(
            `For these .* rows: ${counts[0]} rows? better · ${counts[1]} rows? worse · ${counts[2]} rows? equal`,
          ),
        );
      expect(await page.locator("tr.focus").innerText()).toContain(measureName(measure).slice(0, 12));
      // Reloads in two of five cases.
      if (index % 5 > 1) continue;
      const shown = await page.locator(".grid").innerText();
      await page.reload();
      await hasRows(compared.row_count);
      await page.locator(".sentence", { hasText: sentence }).waitFor();
      await settled();
      expect(await page.locator(".grid").innerText()).toBe(shown);
    }
  });

  test("does not grow with use", async () => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable");
    const held = async () => {
      await devtools.send("HeapProfiler.collectGarbage");
      const { metrics } = await devtools.send("Performance.getMetrics");
      const value = (name: string) => metrics.find((one) => one.name === name)!.value;
      return { bytes: value("JSHeapUsedSize"), nodes: value("Nodes"), listeners: value("JSEventListeners") };
    };
    const turn = async () => {
      for (const key of ["w", "w", "2", "1", "j", "Enter", "j", "Escape", "s", "b"]) {
        await page.keyboard.press(key);
        await page.waitForTimeout(5);
      }
      await settled();
    };
    await at(`#/${EXAMPLE}/compare`);
    await hasRows(240);
    // The first hundreds of gestures compile code and fill bounded caches.
    for (let warm = 0; warm < Math.max(16, RUNS / 3); warm++) await turn();
    const before = await held();
    for (let turns = 0; turns < RUNS; turns++) await turn();
    const after = await held();
    expect(after.bytes / before.bytes).toBeLessThan(1.1);
    expect(after.nodes / before.nodes).toBeLessThan(1.3);
    expect(after.listeners / before.listeners).toBeLessThan(1.3);
  });

  test("the browser reported no errors", () => expect(open.errors).toEqual([]));
});

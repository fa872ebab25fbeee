// The page as one HTML file in a browser, opened from disk: it shows what the served page shows, and makes no requests.

import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER, type OpenPage, openPage } from "./open-page.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROJECT = "examples/units-parser";
const NAMES = ["units_v2", "units_v3"];
/** The number of random requests to the file and the server. */
const REQUESTS = 10 * Number(process.env["ASSAY_PAGE_RUNS"] ?? 10);

/** Runs in the page: records the workers that it starts, so that the test can send them requests. */
function keepWorkers(): void {
  const kept: Worker[] = [];
  Object.assign(globalThis, { kept });
  globalThis.Worker = class extends Worker {
    constructor(url: string | URL) {
      super(url);
      kept.push(this);
    }
  };
}

/** Runs in the page: sends requests to its first worker, one after another. */
async function askWorker(questions: readonly { readonly url: string; readonly body: string }[]) {
  const { kept } = globalThis as unknown as { readonly kept: readonly Worker[] };
  const [worker] = kept as [Worker];
  const answers: (readonly [number, string])[] = [];
  for (const [index, { url, body }] of questions.entries()) {
    const id = 1e6 + index;
    const answered = new Promise<{ status: number; body: ArrayBuffer }>((resolve) => {
      const listener = ({ data }: MessageEvent<{ id: number; status: number; body: ArrayBuffer }>) => {
        if (data.id !== id) return;
        worker.removeEventListener("message", listener);
        resolve(data);
      };
      worker.addEventListener("message", listener);
    });
    const headers = [["content-type", "application/json"]];
    const bytes = new TextEncoder().encode(body).buffer;
    worker.postMessage({
      kind: "ask",
      id,
      url: `http://assay.invalid${url}`,
      method: "POST",
      headers,
      body: bytes,
    });
    const answer = await answered;
    answers.push([answer.status, new TextDecoder().decode(answer.body)]);
  }
  return answers;
}

/** Requests like the page's, and invalid ones. */
function randomQuestions(ids: readonly string[]): readonly { readonly url: string; readonly body: string }[] {
  const measure = fc.constantFrom(
    "scores.correct",
    "scores.magnitudes_off",
    "scores.parts.unit.same",
    "scores.none",
  );
  const filter = fc.constantFrom(
    { query: { $expr: { $eq: [{ $getField: "inputs.kind" }, { $literal: "in words" }] } } },
    { query: { $expr: { $gt: [{ $getField: "inputs.expected.value" }, { $literal: 5 }] } } },
    { query: { $expr: { $contains: { input: { $getField: "outputs" }, substr: { $literal: "m" } } } } },
    {
      evaluation_call_id: ids[0],
      query: { $expr: { $eq: [{ $getField: "scores.correct" }, { $literal: true }] } },
    },
    { query: { $expr: { $nonsense: 1 } } },
  );
  const query = fc.record({
    evaluation_call_ids: fc.shuffledSubarray([...ids], { minLength: 1 }),
    filters: fc.array(filter, { maxLength: 2 }),
    limit: fc.constantFrom(1, 5, 50, -1),
    offset: fc.constantFrom(0, 3, 1000),
  });
  const baseline = fc.constantFrom(...ids, "none");
  const asked = fc.oneof(
    fc.tuple(
      fc.constant("query"),
      fc.record({
        evaluation_call_ids: fc.constant(ids),
        filters: fc.array(filter, { maxLength: 2 }),
        limit: fc.constantFrom(1, 20),
        include_raw_data_rows: fc.boolean(),
        include_summary: fc.boolean(),
      }),
    ),
    fc.tuple(
      fc.constant("page"),
      fc.record({
        query,
        measure,
        baseline,
        order: fc.constantFrom("worst_first", "best_first", "largest_first"),
        change: fc.constantFrom("worse", "better", "flaky", "missing"),
      }),
    ),
    fc.tuple(fc.constant("compare"), fc.record({ query, baseline })),
    fc.tuple(fc.constant("slices"), fc.record({ query, baseline, measure })),
    fc.tuple(fc.constant("ranking"), fc.record({ query, measure })),
    fc.tuple(
      fc.constant("groups"),
      fc.record({ query, by: fc.record({ field: measure, evaluation_call_id: baseline }) }),
    ),
    fc.tuple(fc.constant("fields"), fc.record({ evaluation_call_ids: fc.constant(ids) })),
  );
  return fc
    .sample(asked, { numRuns: REQUESTS, seed: Number(process.env["ASSAY_SEED"] ?? 18) })
    .map(([route, body]) => ({ url: `/v2/${PROJECT}/eval_results/${route}`, body: JSON.stringify(body) }));
}

/** Two tables of answers to the same questions. */
const TABLES = ["old", "new"].map((name, at) => ({
  name: `${name}.csv`,
  mimeType: "text/csv",
  buffer: Buffer.from(
    `question,output,correct\none,${name} 1,true\ntwo,${name} 2,${at === 0}\nthree,${name} 3,${at === 1}\n`,
  ),
}));

describe.skipIf(NO_BROWSER !== undefined)("the exported file", () => {
  let open: OpenPage;
  beforeAll(async () => {
    open = await openPage();
  });
  afterAll(() => open?.close());

  const rows = (page: Page) => page.locator(".grid .row:not(.waiting)");
  const seen = async (page: Page) => {
    await rows(page).first().waitFor();
    await page.locator(".sentence").waitFor();
    await expect.poll(() => page.locator(".busy.on").count(), { timeout: 20_000 }).toBe(0);
    const [verdict, took, grid] = [".sentence", ".took", ".grid"].map((part) =>
      page.locator(part).innerText(),
    );
    return [await verdict, /^\d+/.exec(await took!)![0], await grid];
  };
  const filtered = async (page: Page) => {
    await page.keyboard.press("f");
    const form = page.getByRole("form", { name: "Add a filter" });
    await form.getByLabel("field").fill("inputs.kind");
    await form.getByLabel("value").fill("thousands");
    await form.getByRole("button", { name: "Add filter" }).click();
    await page.locator(".took", { hasText: /^20 / }).waitFor();
  };

  test("shows and filters the same as the server, and makes no requests", async () => {
    const file = join(open.data, "compared.html");
    const args = ["packages/cli/bundle/assay.js", "export", PROJECT, "--format", "html", "--output", file];
    for (const name of NAMES) args.push("--evaluation", name);
    const { stderr } = await promisify(execFile)(process.execPath, [...args, "--data", open.data], {
      cwd: ROOT,
      env: { PATH: process.env["PATH"] ?? "" },
    });
    expect(stderr).toMatch(
      /^a file of \d\.\d MB: anyone who has it .* of 2 evaluations\nexported 2 evaluations/,
    );

    const listed = await fetch(`${open.url}/v2/${PROJECT}/eval_results/evaluations`);
    const { evaluations } = (await listed.json()) as { evaluations: { id: string; name: string }[] };
    const ids = evaluations.filter(({ name }) => NAMES.includes(name)).map(({ id }) => `e=${id}`);
    const [served, inFile] = [await open.page(), await open.page()];
    await served.goto(`${open.url}/#/${PROJECT}/compare?${ids.join("&")}`);
    const address = pathToFileURL(file).href;
    await inFile.addInitScript(keepWorkers);
    const asked: string[] = [];
    inFile.on("request", (request) => asked.push(request.url()));
    await inFile.goto(address);
    expect(await seen(inFile)).toEqual(await seen(served));
    await inFile.getByText(/^file of \d{4}-\d\d-\d\d, 2 evaluations$/).waitFor();
    expect(await inFile.getByRole("navigation", { name: "Views" }).innerText()).not.toContain("Training");

    for (const page of [inFile, served]) await filtered(page);
    expect(await seen(inFile)).toEqual(await seen(served));
    await inFile.reload();
    await inFile.locator(".took", { hasText: /^20 / }).waitFor();
    const refused = await inFile.evaluate(async (url) => {
      try {
        return (await fetch(url)).status;
      } catch {
        return "refused";
      }
    }, `${open.url}/v1/health`);
    expect(refused).toBe("refused");

    // The file's worker contains the server's handler, so it returns the same bytes.
    const questions = randomQuestions(ids.map((id) => id.slice(2)));
    const fromFile = await inFile.evaluate(askWorker, questions);
    for (const [index, { url, body }] of questions.entries()) {
      const headers = { "Content-Type": "application/json" };
      const answer = await fetch(`${open.url}${url}`, { method: "POST", headers, body });
      expect([body, ...fromFile[index]!]).toEqual([body, answer.status, await answer.text()]);
    }

    await inFile.keyboard.press("Enter");
    const calls = inFile.locator(".drawer .trace");
    await calls.getByText("UnitsParser.predict").first().waitFor();
    await inFile.keyboard.press("Escape");

    // Other files from disk can be opened in the exported page.
    await inFile.getByRole("link", { name: "Open a file" }).click();
    await inFile.getByLabel("files to open").setInputFiles(TABLES);
    await inFile.getByText("2 files, opened here", { exact: true }).waitFor();
    await inFile.locator(".took", { hasText: /^3 rows/ }).waitFor();

    // A damaged file is reported, and none of its data is shown.
    const damaged = join(open.data, "damaged.html");
    const text = readFileSync(file, "utf8");
    const middle = text.indexOf('data-holds="calls">') + 4000;
    writeFileSync(damaged, `${text.slice(0, middle)}AAAAAAAA${text.slice(middle + 8)}`);
    const other = await open.page();
    await other.goto(pathToFileURL(damaged).href);
    await other
      .getByText(/the data of this file cannot be read: /)
      .first()
      .waitFor();
    expect(await rows(other).count()).toBe(0);

    // The only requests are for the file, which is read twice, and its workers, which come from memory.
    expect(asked.filter((url) => url !== address && !url.startsWith("blob:"))).toEqual([]);
    const errors = open.errors.filter((error) => !/^request to (?:file|blob):/.test(error));
    expect(errors.filter((error) => !error.includes("/v1/health"))).toEqual([]);
  });
});

// The page as one HTML file, in a browser, from the disk: it says what the served page says, and asks nobody.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_BROWSER, type OpenPage, openPage } from "./open-page.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROJECT = "examples/units-parser";
const NAMES = ["units_v2", "units_v3"];

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

  test("shows what the server shows, filters as it does, and makes no request", async () => {
    const file = join(open.data, "compared.html");
    const args = ["packages/cli/bundle/assay.js", "export", PROJECT, "--format", "html", "--output", file];
    for (const name of NAMES) args.push("--evaluation", name);
    const { stderr } = await promisify(execFile)(process.execPath, [...args, "--data", open.data], {
      cwd: ROOT,
      env: { PATH: process.env["PATH"] ?? "" },
    });
    expect(stderr).toMatch(
      /^a file of \d\.\d MB: whoever has it .* of 2 evaluations\nexported 2 evaluations/,
    );

    const listed = await fetch(`${open.url}/v2/${PROJECT}/eval_results/evaluations`);
    const { evaluations } = (await listed.json()) as { evaluations: { id: string; name: string }[] };
    const ids = evaluations.filter(({ name }) => NAMES.includes(name)).map(({ id }) => `e=${id}`);
    const [served, inFile] = [await open.page(), await open.page()];
    await served.goto(`${open.url}/#/${PROJECT}/compare?${ids.join("&")}`);
    const address = pathToFileURL(file).href;
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

    // The file, read twice, and its workers, which come from memory.
    expect(asked.filter((url) => url !== address && !url.startsWith("blob:"))).toEqual([]);
    const complaints = open.complaints.filter((complaint) => !/^asked (?:file|blob):/.test(complaint));
    expect(complaints.filter((complaint) => !complaint.includes("/v1/health"))).toEqual([]);
  });
});

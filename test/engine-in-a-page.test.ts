// The engine in a web page: the code that a page loads before its first answer stays small, and the example opens from
// disk under a policy that allows only its own script.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { chromium } from "playwright-core";
import { expect, test } from "vitest";
import { findChromium } from "../scripts/chromium.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Excludes modules that are imported on first use: statistics and views, the specification, the codec of segments. */
const later: Plugin = {
  name: "later",
  setup: ({ onResolve }) => {
    onResolve({ filter: /.*/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

/** The gzipped size in bytes of a module with its static imports. */
async function bytesAtFirst(source: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: ROOT },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2023",
    conditions: ["@assay/source"],
    plugins: [later],
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}

test("the engine with its static imports takes less than 40 KiB, gzipped", async () => {
  const engine = await bytesAtFirst(
    `import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
     globalThis.made = [createEvalEngine, memoryCalls, memoryRows];`,
  );
  expect(engine).toBeGreaterThan(10_000);
  expect(engine).toBeLessThan(40 * 1024);
});

test.skipIf(findChromium() === undefined)("the example opens from disk", async () => {
  const directory = mkdtempSync(join(tmpdir(), "assay-page-"));
  const file = join(directory, "page.html");
  execFileSync(process.execPath, ["examples/engine-in-a-page/build.mjs", "--output", file], { cwd: ROOT });
  const browser = await chromium.launch({ executablePath: findChromium()!, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("console", (message) => errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const address = pathToFileURL(file).href;
    await page.goto(address);
    const verdict = page.getByRole("status");
    await expect
      .poll(() => verdict.textContent())
      .toMatch(/^Whether large is better than small on correct is inconclusive: .* 12 rows, paired/);
    expect(await page.locator("tbody tr").first().textContent()).toContain("19 + 34");
    await page.locator("#where").fill('inputs.category = "product"');
    await expect.poll(() => verdict.textContent()).toMatch(/4 rows, paired/);
    expect(await page.locator("tbody tr").count()).toBe(4);
    await page.locator("#where").fill("inputs.category =");
    await expect.poll(() => verdict.textContent()).toMatch(/^where/);
    expect(errors).toEqual([]);
    expect(asked).toEqual([address]);
  } finally {
    await browser.close();
    rmSync(directory, { recursive: true, force: true });
  }
});

// `npm run screenshots`: takes the screenshots of the README, of the example that `npm start` loads.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { addressOf, COMMAND } from "../testing/src/spawn.mjs";
import { findChromium } from "./chromium.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
await import("./setup.mjs");
// The browser driver is a dependency of the tests, not of this package.
const { chromium } = createRequire(join(root, "test/package.json"))("playwright-core");

const COMPARISON = "#/examples/units-parser/compare?lower=scores.magnitudes_off";
/** The comparison of all three versions, by the ids in the example data. */
const ALL = [
  COMPARISON,
  "e=01a1fbce-b05c-7f7a-9196-2992ee6195a0",
  "e=01a1fbce-fcc3-73f7-b1a2-296b6ece0c43",
  "e=01a1fbce-fe4d-7b60-89f3-651324134e37",
  "b=01a1fbce-fcc3-73f7-b1a2-296b6ece0c43",
].join("&");
const PICTURES = [
  { name: "comparison", at: ALL, scheme: "light", until: ".grid .row" },
  { name: "row", at: COMPARISON, scheme: "dark", until: ".grid .row", keys: ["Enter"], then: ".path-diff" },
  { name: "slices", at: `${COMPARISON}&tab=slices`, scheme: "light", until: ".slices tbody tr" },
];

const data = mkdtempSync(join(tmpdir(), "assay-screenshots-"));
const server = spawn(process.execPath, [COMMAND, "demo", "--no-open", "--data", data, "--port", "0"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const url = await addressOf(server);

const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  for (const { name, at, scheme, until, keys = [], then } of PICTURES) {
    const page = await browser.newPage({ viewport: { width: 1360, height: 820 }, colorScheme: scheme });
    await page.goto(`${url}/${at}`);
    await page.locator(until).first().waitFor();
    await page.locator(".interval").first().waitFor();
    for (const key of keys) await page.keyboard.press(key);
    if (then !== undefined) await page.locator(then).first().waitFor();
    await page.screenshot({ path: `docs/images/${name}.png` });
    await page.close();
  }
} finally {
  await browser.close();
  server.kill();
  await new Promise((resolve) => server.once("exit", resolve));
  rmSync(data, { recursive: true, force: true });
}

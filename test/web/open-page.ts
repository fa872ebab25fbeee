// The page in a browser, on the built server, one of each per test file. Records the browser's errors and all requests
// to other hosts, which tests expect to be empty.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAssay } from "@assay/testing/server";
import { type Browser, chromium, type Page } from "playwright-core";
import { findChromium } from "../../scripts/chromium.mjs";

/** Why these tests cannot run here; undefined if they can. `ASSAY_BROWSER=required` makes it a failure. */
export const NO_BROWSER: string | undefined =
  findChromium() === undefined || process.env["ASSAY_BROWSER"] === "none" ? "no Chromium" : undefined;

/** A server with the example data, and a browser. */
export interface OpenPage {
  readonly url: string;
  /** The server's data directory. */
  readonly data: string;
  /** What the browser reported: policy violations, errors, dialogs, requests to other hosts. */
  readonly errors: string[];
  /** A new page with its own storage. */
  page(options?: {
    readonly scheme?: "light" | "dark";
    readonly width?: number;
    readonly height?: number;
  }): Promise<Page>;
  /** Restarts the server at the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the server and the browser. */
export async function openPage(): Promise<OpenPage> {
  const data = mkdtempSync(join(tmpdir(), "assay-page-"));
  const start = (port: string) => startAssay(data, { command: "demo", args: ["--no-open"], port });
  let [server, browser] = await Promise.all([start("0"), startBrowser()]);
  const { url } = server;
  const errors: string[] = [];
  return {
    url,
    data,
    errors,
    async page({ scheme = "light", width = 1440, height = 900 } = {}) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(message.text());
      });
      page.on("response", async (response) => {
        if (response.status() < 400) return;
        // A browser discards the body of a response once its page has navigated away.
        const body = await response.text().catch(() => "(body discarded)");
        errors.push(`${response.url()} got ${response.status()}: ${body}`);
      });
      page.on("pageerror", (error) => errors.push(String(error)));
      page.on("dialog", (dialog) => {
        errors.push(`a dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on("request", (request) => {
        const asked = request.url();
        if (!asked.startsWith(url) && !/^(?:data:|blob:http)/.test(asked)) errors.push(`request to ${asked}`);
      });
      return page;
    },
    async restart() {
      await server.stop();
      server = await start(new URL(url).port);
    },
    async close() {
      await browser.close();
      await server.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium()!, args: ["--no-sandbox", "--disable-gpu"] });
}

// The page in a browser, over the built server: one of each for a test file. Whatever the browser complains of, and
// every request to another host, is kept, for a test to find nothing in.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAssay } from "@assay/testing/server";
import { type Browser, chromium, type Page } from "playwright-core";
import { findChromium } from "../../scripts/chromium.mjs";

/** Why these tests cannot run here; undefined when they can. `ASSAY_BROWSER=required` makes it a failure. */
export const NO_BROWSER: string | undefined =
  findChromium() === undefined || process.env["ASSAY_BROWSER"] === "none" ? "no Chromium" : undefined;

/** A server with the example, and a browser. */
export interface OpenPage {
  readonly url: string;
  /** The data directory of the server. */
  readonly data: string;
  /** What the browser complained of: violations of the policy, errors, dialogs, requests to other hosts. */
  readonly complaints: string[];
  /** A page of its own, with its own storage. */
  page(options?: {
    readonly scheme?: "light" | "dark";
    readonly width?: number;
    readonly height?: number;
  }): Promise<Page>;
  /** Ends the server and starts it again, at the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts both. */
export async function openPage(): Promise<OpenPage> {
  const data = mkdtempSync(join(tmpdir(), "assay-page-"));
  const start = (port: string) => startAssay(data, { command: "demo", args: ["--no-open"], port });
  let [server, browser] = await Promise.all([start("0"), startBrowser()]);
  const { url } = server;
  const complaints: string[] = [];
  return {
    url,
    data,
    complaints,
    async page({ scheme = "light", width = 1440, height = 900 } = {}) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      page.on("response", async (response) => {
        if (response.status() < 400) return;
        // A browser drops the body of an answer when its page has moved on.
        const body = await response.text().catch(() => "(its body is gone)");
        complaints.push(`${response.url()} answered ${response.status()}: ${body}`);
      });
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("dialog", (dialog) => {
        complaints.push(`a dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on("request", (request) => {
        const asked = request.url();
        if (!asked.startsWith(url) && !/^(?:data:|blob:http)/.test(asked)) complaints.push(`asked ${asked}`);
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

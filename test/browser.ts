// Runs a module as in a browser: bundled without Node.js built-ins, in a page of headless Chromium. Without Chromium it
// runs in a bare context with the language and the web APIs, but none of Node.js.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { findChromium } from "../scripts/chromium.mjs";

/** Runs a script that sets `globalThis.answer` to a promise of text, and returns that text. */
export interface Browser {
  /** A description for test names. */
  readonly name: string;
  run(script: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * A script that sets `globalThis.answer` to JSON text: the result of the module's `page()`, or its sorted exports if it
 * has no such function.
 */
export async function bundlePage(module: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import * as names from ${JSON.stringify(module)};
        const answer = names["page"]?.() ?? Promise.resolve(Object.keys(names).sort());
        globalThis.answer = answer.then(JSON.stringify);`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    write: false,
    format: "iife",
    // Makes imports of Node.js built-ins an error.
    platform: "browser",
    conditions: ["@assay/source"],
    target: "es2023",
    logLevel: "silent",
  });
  return outputFiles[0]!.text;
}

/**
 * Chromium if it is installed and starts, otherwise a bare context; always a bare context with `ASSAY_BROWSER=none`.
 */
export async function openBrowser(): Promise<Browser> {
  const path = process.env["ASSAY_BROWSER"] === "none" ? undefined : findChromium();
  if (path === undefined) return bareContext("because Chromium is not installed");
  try {
    return await openChromium(path);
  } catch (error) {
    if (process.env["ASSAY_BROWSER"] === "required") throw error;
    return bareContext(`because ${path} does not start`);
  }
}

async function openChromium(executablePath: string): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), "assay-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    offline: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return {
    name: `Chromium ${context.browser()?.version() ?? ""}`.trim(),
    async run(script) {
      const page = await context.newPage();
      try {
        await page.addScriptTag({ content: script });
        return await page.evaluate<string>("globalThis.answer");
      } finally {
        await page.close();
      }
    },
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Web APIs that browsers and Node.js share. No timers and no network: core packages need neither. */
const OF_THE_WEB = {
  AbortController,
  AbortSignal,
  Blob,
  File,
  FormData,
  Headers,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
};

function bareContext(why: string): Browser {
  return {
    name: `a bare context, ${why}`,
    run: (script) => {
      const context = createContext({ ...OF_THE_WEB });
      runInContext(script, context);
      return runInContext("globalThis.answer", context) as Promise<string>;
    },
    close: async () => undefined,
  };
}

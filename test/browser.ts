// Runs a module as a browser would: bundled without anything of Node, in a page of a headless Chromium. Where there is
// no Chromium, in a bare context that has the language and what every browser has, and nothing of Node.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { findChromium } from "../scripts/chromium.mjs";

/** Runs a script that leaves a promise of text in `globalThis.answer`, and gives that text. */
export interface Browser {
  /** What it is, for the name of a test. */
  readonly name: string;
  run(script: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * A script that leaves in `globalThis.answer`, as JSON text, what `page()` of a module gives; of a module that has no
 * such function, the names that it exports, sorted.
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
    // An import of a Node built-in is an error here, which is the point.
    platform: "browser",
    conditions: ["@assay/source"],
    target: "es2023",
    logLevel: "silent",
  });
  return outputFiles[0]!.text;
}

/** Chromium when there is one that starts, else a bare context; the latter with `ASSAY_BROWSER=none`. */
export async function openBrowser(): Promise<Browser> {
  const path = process.env["ASSAY_BROWSER"] === "none" ? undefined : findChromium();
  if (path === undefined) return bareContext("for want of a Chromium");
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

/** What every browser has beside the language, and Node too. No timers and no network: a core needs neither. */
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

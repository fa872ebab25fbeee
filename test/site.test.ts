// The documentation site, as `npm run site` builds it, which fails on dead links: the list for programs names existing
// pages, the search works in a browser, and no request goes to another host.

import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../scripts/chromium.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const built = join(root, "build/site");
const read = (path: string) => readFileSync(join(built, path), "utf8");

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, "site/build.mjs")], { cwd: root });
  // Takes half a minute on an idle machine.
});

test("llms.txt lists every document, and the site serves each as Markdown", () => {
  const links = [...read("llms.txt").matchAll(/^- \[.+\]\(\/(\S+?)\)(?:: \S|$)/gm)].map(([, path]) => path!);
  expect(links.filter((path) => !existsSync(join(built, path)))).toEqual([]);
  expect(links).toEqual(
    expect.arrayContaining([
      "docs/tutorials/from-csv.md",
      "docs/reference/record.md",
      "packages/cli/index.md",
    ]),
  );
  expect(read("llms.txt").match(/^- /gm)).toHaveLength(links.length);
  expect(read("llms-full.txt")).toContain(read("docs/reference/record.md").trim());
});

test("every entry point of a package has a page of its exported names", () => {
  expect(read("reference/@assay/eval-engine.html")).toContain('id="createevalengine"');
  expect(read("reference/@assay/calls/lines.html")).toContain('id="importcalls"');
  // Types of another package are links.
  expect(read("reference/@assay/calls/lines.html")).toContain('href="./../calls.html#');
});

test("the HTTP API has its page, as on the server, and its OpenAPI document", () => {
  const page = read("reference/http.html");
  expect(page).toContain('<h3 id="evalResultsQuery"');
  expect(page).toContain('href="../openapi.json"');
  expect(JSON.parse(read("openapi.json"))).toMatchObject({ openapi: "3.1.0" });
});

describe.skipIf(findChromium() === undefined)("in a browser", () => {
  test("the search finds a document, without requests to other hosts", async () => {
    const server = createServer(({ url = "/" }, response) => {
      const path = decodeURIComponent(new URL(url, "http://site").pathname).replace(/\/$/, "/index.html");
      if (!existsSync(join(built, path))) return response.writeHead(404).end();
      return response
        .setHeader("Content-Type", TYPES[extname(path)] ?? "text/plain")
        .end(readFileSync(join(built, path)));
    }).listen(0, "127.0.0.1");
    const url = await new Promise<string>((resolve) =>
      server.once("listening", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)),
    );
    const browser = await chromium.launch({ executablePath: findChromium()!, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on("request", (request) => {
        if (!request.url().startsWith(url)) errors.push(`request to ${request.url()}`);
      });
      page.on("pageerror", (error) => errors.push(String(error)));
      page.on("response", (answer) => {
        if (!answer.ok()) errors.push(`${answer.status()} ${answer.url()}`);
      });
      await page.goto(url);
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("searchbox").fill("erase person");
      await page
        .getByRole("option", { name: /Erase a person's data/ })
        .first()
        .click();
      await page.getByRole("heading", { name: "Erase a person's data" }).waitFor();
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
      server.close();
    }
  });
});

const TYPES: { readonly [extension: string]: string } = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".png": "image/png",
};

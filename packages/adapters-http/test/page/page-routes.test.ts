// The page's files over HTTP: which files are served, with which headers, and no others.

import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createHandler, pageRoutes } from "../../src/index.ts";
import type { PageFile } from "../../src/page/files.ts";

const encoder = new TextEncoder();
const script = encoder.encode("export const answer = 42;\n".repeat(100));
const FILES: ReadonlyMap<string, PageFile> = new Map([
  [
    "index.html",
    { body: encoder.encode("<!doctype html><title>Assay</title>"), type: "text/html; charset=utf-8" },
  ],
  [
    "assets/main-3f2a.js",
    {
      body: script,
      type: "text/javascript; charset=utf-8",
      encodings: { gzip: gzipSync(script), br: encoder.encode("brotli") },
    },
  ],
  ["secret.txt", { body: encoder.encode("secret"), type: "text/plain" }],
]);
const handler = createHandler({ routes: [pageRoutes({ file: (path) => FILES.get(path) })] });
const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  handler(new Request(`http://localhost${path}`, { method, headers }));

test("the page is served without a key, under a policy that allows only what it needs", async () => {
  const page = await ask("/");
  expect([page.status, await page.text()]).toEqual([200, "<!doctype html><title>Assay</title>"]);
  const headers = Object.fromEntries(page.headers);
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "x-content-type-options": "nosniff",
  });
  const policy = headers["content-security-policy"]!.split("; ");
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types assay-worker",
    ]),
  );
  expect(policy.join()).not.toMatch(/unsafe|\*/);
});

test("browsers get from the addresses that W&B's clients print to the page, and programs do not", async () => {
  const places: Readonly<Record<string, string | null>> = {
    "/acme/my%20demo": "/#/acme/my%20demo/runs",
    "/acme/demo/runs/x1": "/#/acme/demo/runs/x1",
    "/acme/demo/runs": "/#/acme/demo/runs",
    "/acme/demo/weave": "/#/acme/demo/calls",
    "/acme/demo/weave/objects/a/versions/b": "/#/acme/demo",
    "/acme/demo/r/call/0190": "/#/acme/demo/calls/0190",
    "/acme/demo/other": null,
    "/v1/modles": null,
    "/acme": null,
  };
  for (const [path, place] of Object.entries(places)) {
    const browser = await ask(path, { accept: "text/html,*/*;q=0.8" });
    expect([path, browser.status, browser.headers.get("location")]).toEqual([
      path,
      place === null ? 404 : 302,
      place,
    ]);
    expect([path, (await ask(path, { accept: "*/*" })).status]).toEqual([path, 404]);
    expect([path, (await ask(path, { accept: "text/html" }, "POST")).status]).toEqual([path, 404]);
  }
});

test("an asset may be cached forever, and is compressed for clients that accept that", async () => {
  const plain = await ask("/assets/main-3f2a.js");
  expect(new Uint8Array(await plain.arrayBuffer())).toEqual(script);
  expect(plain.headers.get("cache-control")).toContain("immutable");
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(plain.headers.get("vary")).toBe("Accept-Encoding");

  const gzip = await ask("/assets/main-3f2a.js", { "accept-encoding": "gzip, deflate" });
  expect(gzip.headers.get("content-encoding")).toBe("gzip");
  expect(new Uint8Array(gunzipSync(new Uint8Array(await gzip.arrayBuffer())))).toEqual(script);

  const encoding = async (accepted: string) =>
    (await ask("/assets/main-3f2a.js", { "accept-encoding": accepted })).headers.get("content-encoding");
  expect(await encoding("gzip, deflate, br")).toBe("br");
  expect(await encoding("br;q=0, gzip;q=0.5")).toBe("gzip");
  expect(await encoding("identity, br ; q=0.0")).toBeNull();
});

test("only the page's files are served, whatever the path", async () => {
  const paths = [
    "/assets/",
    "/assets/other.js",
    "/assets/..%2Fsecret.txt",
    "/assets/a/main-3f2a.js",
    "/secret.txt",
  ];
  for (const path of paths) expect([path, (await ask(path)).status]).toEqual([path, 404]);
  expect((await ask("/", { "content-type": "application/json" }, "POST")).status).toBe(405);
});

test("HEAD answers only the headers", async () => {
  const head = await ask("/assets/main-3f2a.js", {}, "HEAD");
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
    200,
    String(script.length),
    "",
  ]);
});

// The files of the build are the files served.

import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { pageFiles } from "../src/index.ts";

const files = pageFiles();
const index = new TextDecoder().decode(files.file("index.html")!.body);
const named = [...index.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path]) => path!);

test("the page refers to existing files, named by their contents, and to no other host", () => {
  expect(named.length).toBeGreaterThan(1);
  for (const path of named) {
    expect(path).toMatch(/-[A-Z0-9]{8}\.(js|css)$/);
    expect(files.file(path)!.type).toMatch(/^text\/(javascript|css)/);
  }
  expect(index).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});

test("compressed files have the same content", () => {
  for (const path of named) {
    const { body, encodings } = files.file(path)!;
    expect(gunzipSync(encodings!.gzip!).equals(body)).toBe(true);
    expect(encodings!.br!.length).toBeLessThan(body.length);
  }
});

test("no other paths are files of the page", () => {
  for (const path of ["", "assets", "meta.json", "page.css.gz", "../index.html", "assets/../index.html"])
    expect(files.file(path)).toBeUndefined();
});

test("the first view is at most 80 KB of scripts and 12 KB of style, compressed", () => {
  const size = (ending: string) =>
    named
      .filter((path) => path.endsWith(ending))
      .reduce((sum, path) => sum + files.file(path)!.encodings!.gzip!.length, 0);
  expect(size(".js")).toBeLessThanOrEqual(80_000);
  expect(size(".css")).toBeLessThanOrEqual(12_000);
});

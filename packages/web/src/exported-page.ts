// The page as one HTML file, with its data and its server inside: it opens from a disk, and can ask nobody anything.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createGzip, gzipSync } from "node:zlib";
import { callsByRow } from "./calls-by-row.ts";
import { builtFolder } from "./page-files.ts";
import type { FileFacts } from "./worker/messages.ts";

/** What a file is made of. */
export interface ExportedPageParts extends FileFacts {
  /** The dataset rows that calls refer to, as lines of JSON `{digest, val, ref?}`. Read before the calls. */
  readonly rows: AsyncIterable<Uint8Array>;
  /** The calls of the evaluations, as lines of JSON. */
  readonly calls: AsyncIterable<Uint8Array>;
}

/** How a file is made. */
export interface ExportedPageOptions {
  /** The folder that the page was built into; by default this package's own. */
  readonly built?: URL | undefined;
  /** Bytes that the data may have once it is compressed. Default 150,000,000: a file of 200 MB. */
  readonly mostBytes?: number;
}

/** A file that is ready to be written. */
export interface ExportedPage {
  /** How large it is. */
  readonly bytes: number;
  /** Its text, piece by piece. */
  pieces(): Iterable<string>;
}

/**
 * The page with some evaluations as one HTML file. All data is compressed and in base64, so that none of it can end a
 * script or be run as one, and the file's content security policy lets it connect to nothing. Throws a `RangeError` when
 * there is more data than `mostBytes`, and an `Error` where the page was not built.
 */
export async function exportedPage(
  { calls, rows, project, evaluations, made }: ExportedPageParts,
  { built, mostBytes = 150_000_000 }: ExportedPageOptions = {},
): Promise<ExportedPage> {
  const folder = built === undefined ? builtFolder() : fileURLToPath(built);
  const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8");
  const facts: FileFacts = { project, evaluations, made };
  const script = read("export/page.js");
  const style = read("page.css");
  // The page needs these when it is drawn already.
  const [worker, reader] = ["worker", "reader"].map((name) =>
    gzipSync(read(`export/${name}.js`), { level: 9 }),
  ) as [Buffer, Buffer];
  const rowBytes = await compressed(rows, mostBytes);
  const callBytes = await compressed(callsByRow(calls), mostBytes - rowBytes.length);
  const pieces = function* (): Generator<string> {
    yield head(script, style);
    yield* blocks("facts", Buffer.from(JSON.stringify(facts)));
    yield `<script>${script}</script>\n`;
    yield* blocks("worker", worker);
    yield* blocks("reader", reader);
    yield* blocks("calls", callBytes);
    yield* blocks("rows", rowBytes);
    yield "</body>\n</html>\n";
  };
  let bytes = 0;
  for (const piece of pieces()) bytes += Buffer.byteLength(piece);
  return { bytes, pieces };
}

async function compressed(lines: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // The most that DEFLATE can do: a file is written once, and sent around.
  await pipeline(lines, createGzip({ level: 9, memLevel: 9 }), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new RangeError("more data than one file can hold");
      chunks.push(chunk);
    }
  });
  return Buffer.concat(chunks);
}

/** Bytes of one block: a multiple of 3, so that none but the last is padded. */
const BLOCK_BYTES = 3 * 2 ** 20;

/** Bytes as blocks that the page finds under `kind`. A script of a type that is none is data to a browser. */
function* blocks(kind: string, bytes: Buffer): Generator<string> {
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    const text = bytes.toString("base64", at, Math.min(bytes.length, at + BLOCK_BYTES));
    yield `<script type="text/plain" data-holds="${kind}">${text}</script>\n`;
  }
}

function head(script: string, style: string): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "worker-src blob:",
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types assay-worker",
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Assay</title>
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript.</noscript>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

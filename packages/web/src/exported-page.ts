// The page as one HTML file that contains its data and its server. It opens from disk and cannot make requests.

import { createHash } from "node:crypto";
import { createWriteStream, readFileSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createGzip, gzipSync } from "node:zlib";
import { callsByRow } from "./calls-by-row.ts";
import { builtFolder } from "./page-files.ts";
import type { FileFacts } from "./worker/messages.ts";

/** The content of a file. */
export interface ExportedPageParts extends FileFacts {
  /** The dataset rows that calls refer to, as JSON lines `{digest, val, ref?}`. Read before the calls. */
  readonly rows: AsyncIterable<Uint8Array>;
  /** The calls of the evaluations, as JSON lines. */
  readonly calls: AsyncIterable<Uint8Array>;
}

/** How to make a file. */
export interface ExportedPageOptions {
  /** The folder of the built page. Default: this package's own. */
  readonly built?: URL | undefined;
  /** The most bytes of compressed data. Default 150,000,000, for a file of 200 MB. */
  readonly mostBytes?: number;
}

/** A file that is ready to be written. Its data is on the disk until then. */
export interface ExportedPage {
  /** Its size in bytes. */
  readonly bytes: number;
  /** Its text in chunks. */
  pieces(): AsyncIterable<string>;
  /** Removes its data from the disk. Call it once, whether the file was written or not. */
  close(): Promise<void>;
}

/**
 * The page with some evaluations as one HTML file. All data is compressed and in base64, so that it can neither end a
 * script nor run as one, and the file's content security policy forbids all connections. Throws a `RangeError` if
 * there is more data than `mostBytes`, and an `Error` if the page was not built.
 */
export async function exportedPage(
  { calls, rows, ...facts }: ExportedPageParts,
  { built, mostBytes = 150_000_000 }: ExportedPageOptions = {},
): Promise<ExportedPage> {
  const folder = built === undefined ? builtFolder() : fileURLToPath(built);
  const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8");
  const script = read("export/page.js");
  const style = read("page.css");
  // The page needs these only after it was drawn.
  const [worker, reader] = ["worker", "reader"].map((name) =>
    gzipSync(read(`export/${name}.js`), { level: 9 }),
  ) as [Buffer, Buffer];
  const scratch = await mkdtemp(join(tmpdir(), "assay-export-"));
  const close = () => rm(scratch, { recursive: true, force: true });
  try {
    const kept = { rows: join(scratch, "rows"), calls: join(scratch, "calls") };
    const rowBytes = await compressed(rows, kept.rows, mostBytes);
    const callBytes = await compressed(callsByRow(calls), kept.calls, mostBytes - rowBytes);
    const before = [
      head(script, style),
      ...blocks("facts", Buffer.from(JSON.stringify(facts))),
      `<script>${script}</script>\n`,
      ...blocks("worker", worker),
      ...blocks("reader", reader),
    ].join("");
    const after = "</body>\n</html>\n";
    return {
      bytes:
        Buffer.byteLength(before) +
        blocksLength("calls", callBytes) +
        blocksLength("rows", rowBytes) +
        after.length,
      async *pieces() {
        yield before;
        yield* fileBlocks("calls", kept.calls);
        yield* fileBlocks("rows", kept.rows);
        yield after;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Writes the lines to `path`, compressed. Returns the number of bytes. */
async function compressed(
  lines: AsyncIterable<Uint8Array>,
  path: string,
  mostBytes: number,
): Promise<number> {
  let bytes = 0;
  const bounded = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new RangeError("more data than one file can hold");
      yield chunk;
    }
  };
  // The strongest compression, because a file is written once and sent often.
  await pipeline(lines, createGzip({ level: 9, memLevel: 9 }), bounded, createWriteStream(path));
  return bytes;
}

/** The bytes of one block: a multiple of 3, so that only the last is padded. */
const BLOCK_BYTES = 3 * 2 ** 20;
/** The bytes of a block per read: also a multiple of 3, and a divisor of a block. */
const PIECE_BYTES = 3 * 2 ** 14;

const blockStart = (kind: string) => `<script type="text/plain" data-holds="${kind}">`;
const BLOCK_END = "</script>\n";

/** Bytes as blocks that the page finds under `kind`. Browsers treat a script of unknown type as data. */
function* blocks(kind: string, bytes: Buffer): Generator<string> {
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES)
    yield blockStart(kind) +
      bytes.toString("base64", at, Math.min(bytes.length, at + BLOCK_BYTES)) +
      BLOCK_END;
}

/** The same for a file, some kilobytes at a time. */
async function* fileBlocks(kind: string, path: string): AsyncGenerator<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(PIECE_BYTES);
    for (let at = 0; at < size; ) {
      const wanted = Math.min(PIECE_BYTES, size - at);
      for (let read = 0; read < wanted; ) {
        const { bytesRead } = await file.read(bytes, read, wanted - read, at + read);
        if (bytesRead === 0) throw new Error("the data of an exported page was cut short");
        read += bytesRead;
      }
      const start = at % BLOCK_BYTES === 0 ? blockStart(kind) : "";
      at += wanted;
      const end = at % BLOCK_BYTES === 0 || at === size ? BLOCK_END : "";
      yield start + bytes.toString("base64", 0, wanted) + end;
    }
  } finally {
    await file.close();
  }
}

/** The length of the blocks for this many bytes. */
function blocksLength(kind: string, bytes: number): number {
  const blocks = Math.ceil(bytes / BLOCK_BYTES);
  return 4 * Math.ceil(bytes / 3) + blocks * (blockStart(kind).length + BLOCK_END.length);
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

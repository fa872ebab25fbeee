// Reads dropped files: calls as Weave exports them, dataset rows, tables and logs of other tools, and exported pages.
// Runs in a browser, and makes no request.

import { blobFile, planImport } from "@assay/importers";
import type { FileFacts, FromReader, SealedData, ToReader } from "./messages.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Reads files. Never rejects: problems are in the notes. */
export async function readDropped({ files, project }: ToReader): Promise<FromReader> {
  try {
    const [only] = files;
    if (files.length === 1 && /\.html?$/i.test(only!.name)) return await exportedFile(only!);
    return await imported(files, project);
  } catch (error) {
    return unreadable(error instanceof Error ? error.message : String(error));
  }
}

function unreadable(...notes: readonly string[]): FromReader {
  return { kind: "unreadable", notes };
}

/** The data in an exported page: its blocks, without running anything in the file. */
async function exportedFile(file: File): Promise<FromReader> {
  const html = await file.text();
  const blocks = new Map<string, Bytes[]>();
  for (const [, kind, text] of html.matchAll(
    /<script type="text\/plain" data-holds="(\w+)">([A-Za-z0-9+/=]*)</g,
  )) {
    const bytes = Uint8Array.from(atob(text!), (character) => character.charCodeAt(0));
    blocks.set(kind!, [...(blocks.get(kind!) ?? []), bytes]);
  }
  const facts = blocks.get("facts")?.[0];
  if (facts === undefined) return unreadable(`${file.name}: not a page that Assay exported`);
  const { project, evaluations, directions, picked } = JSON.parse(
    new TextDecoder().decode(facts),
  ) as FileFacts;
  const [calls, rows] = [blocks.get("calls") ?? [], blocks.get("rows") ?? []];
  const data = { project, evaluations, directions, picked, calls, rows };
  return { kind: "read", data, notes: [] };
}

async function imported(files: readonly File[], project: string): Promise<FromReader> {
  const { rows, others } = await apart(files);
  const plan = await planImport(others.map((file) => blobFile(file.name, file)));
  const refused = plan.refused.map(({ paths, reason }) => `${paths.join(", ")}: ${reason}`);
  if (plan.evaluations.length === 0 && plan.calls.length === 0)
    return unreadable(...(refused.length > 0 ? refused : ["it has nothing to compare"]));
  const [rowLines, callLines]: [Bytes[], Bytes[]] = [[], []];
  const notes = [...refused, ...plan.notes];
  const directions: (readonly [string, "higher" | "lower"])[] = [];
  for (const lines of plan.lines({ project })) {
    directions.push(...lines.directions);
    notes.push(...lines.disputed);
    // They may share a larger buffer, which would be transferred as a whole, so they are copied.
    for await (const { bytes } of lines.rows()) rowLines.push(bytes.slice());
    for await (const { bytes } of lines.trials()) callLines.push(bytes.slice());
    callLines.push(lines.roots());
  }
  const calls = plan.calls.map(({ path }) => files.find(({ name }) => name === path)!);
  const data: SealedData = {
    project,
    directions,
    calls: [...(await Promise.all(calls.map(plain))), ...callLines],
    rows: [...(await Promise.all(rows.map(plain))), ...rowLines],
  };
  return { kind: "read", data, notes };
}

/** Files of dataset rows, `{"digest", "val"}` on each line, belong to the calls next to them. */
async function apart(files: readonly File[]): Promise<{ rows: readonly File[]; others: readonly File[] }> {
  const isRows = await Promise.all(files.map(async (file) => ROWS.test(await beginning(file))));
  return { rows: files.filter((_, at) => isRows[at]), others: files.filter((_, at) => !isRows[at]) };
}

const ROWS = /^\s*\{\s*"(?:digest"\s*:\s*"[^"]*"\s*,\s*"val|val"\s*:.*"digest)"/s;

async function beginning(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, 65_536).arrayBuffer());
  return isGzip(bytes) ? "" : new TextDecoder().decode(bytes);
}

/** A file of lines, decompressed, with its last line terminated. */
async function plain(file: File): Promise<Bytes> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const stream = isGzip(start) ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  if (bytes.at(-1) === NEWLINE) return bytes;
  const ended = new Uint8Array(bytes.length + 1);
  ended.set(bytes);
  ended[bytes.length] = NEWLINE;
  return ended;
}

const NEWLINE = 10;

function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

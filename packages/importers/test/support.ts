// Helpers for tests of importers: files of a folder, and an engine over the imported data.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { parseJson } from "@assay/base/internal";
import type { Call, DatasetRow } from "@assay/calls";
import { createEvalEngine, type EvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import { bytesFile, type ImportFile, type ImportOptions, type ImportPlan, planImport } from "../src/index.ts";

/** Samples written by the tools, in a folder next to the checkout, if present. */
export const SAMPLES = join(import.meta.dirname, "../../../../shared/data/formats");

/** The file at a path, or the files of the folder, with paths below `root`. */
export function filesAt(root: string, path: string): readonly ImportFile[] {
  const whole = join(root, path);
  if (!statSync(whole).isDirectory()) return [bytesFile(path, readFileSync(whole))];
  return readdirSync(whole, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
    .map((name) => bytesFile(name, readFileSync(join(root, name))));
}

/** The result of an import, and an engine over it. */
export interface Imported {
  readonly plan: ImportPlan;
  readonly engine: EvalEngine;
  /** All calls and rows as lines of JSON, in the order in which they were written. */
  readonly lines: readonly string[];
}

/** The data that a plan writes. */
export interface Written {
  readonly rows: readonly DatasetRow[];
  /** The calls, with the roots last. */
  readonly calls: readonly Call[];
  /** All of them as lines of JSON. */
  readonly lines: readonly string[];
}

/** Writes a plan to a project and collects the data. */
export async function written(plan: ImportPlan): Promise<Written> {
  const [rows, calls]: [string[], string[]] = [[], []];
  for (const lines of plan.lines({ project: "me/demo" })) {
    for await (const piece of lines.rows()) rows.push(...linesOf(piece.bytes));
    for await (const piece of lines.trials()) calls.push(...linesOf(piece.bytes));
    calls.push(...linesOf(lines.roots()));
  }
  return {
    rows: rows.map((line) => parseJson(line) as unknown as DatasetRow),
    calls: calls.map((line) => parseJson(line) as unknown as Call),
    lines: [...rows, ...calls],
  };
}

function linesOf(bytes: Uint8Array): readonly string[] {
  return new TextDecoder().decode(bytes).trimEnd().split("\n");
}

/** Imports files into memory. */
export async function imported(files: readonly ImportFile[], options: ImportOptions = {}): Promise<Imported> {
  const plan = await planImport(files, options);
  const [calls, rows] = [memoryCalls(), memoryRows()];
  const { lines, ...all } = await written(plan);
  rows.put("me/demo", all.rows);
  const put = calls.put("me/demo", all.calls);
  if (!put.ok) throw new Error(JSON.stringify(put.issues));
  return { plan, engine: createEvalEngine({ calls, rows }), lines };
}

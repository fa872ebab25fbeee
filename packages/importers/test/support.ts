// What tests of importers share: files of a folder, and an engine over what an import writes.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { createEvalEngine, type EvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import { bytesFile, type ImportFile, type ImportOptions, type ImportPlan, planImport } from "../src/index.ts";

/** Samples that the tools wrote; beside the checkout, where it has them. */
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

/** A file of text. */
export function textFile(path: string, text: string): ImportFile {
  return bytesFile(path, new TextEncoder().encode(text));
}

/** What an import made, and an engine that answers for it. */
export interface Imported {
  readonly plan: ImportPlan;
  readonly engine: EvalEngine;
  /** All calls and rows as lines of JSON, in the order in which they were written. */
  readonly lines: readonly string[];
}

/** Imports files into memory. */
export async function imported(files: readonly ImportFile[], options: ImportOptions = {}): Promise<Imported> {
  const plan = await planImport(files, options);
  const [calls, rows] = [memoryCalls(), memoryRows()];
  const lines: string[] = [];
  for await (const batch of plan.batches({ project: "me/demo" })) {
    rows.put("me/demo", batch.rows);
    const put = calls.put("me/demo", batch.calls);
    if (!put.ok) throw new Error(JSON.stringify(put.issues));
    lines.push(...[...batch.rows, ...batch.calls].map((one) => JSON.stringify(one)));
  }
  return { plan, engine: createEvalEngine({ calls, rows }), lines };
}

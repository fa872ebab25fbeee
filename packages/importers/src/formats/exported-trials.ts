// Reads the flat tables that assay export and assay query write (CSV, Parquet or JSON lines) back into trials.

import type { Json } from "@assay/base";
import { readFieldPath } from "@assay/query-lang/internal";
import { Unreadable } from "../files/errors.ts";
import type { ImportFile } from "../files/import-file.ts";
import { isObject, type JsonObject, jsonOrText } from "../json/json-text.ts";
import { fileHead } from "../tables/file-head.ts";
import { recordsOf } from "../tables/records.ts";
import {
  evaluationEvent,
  type ImportEvent,
  type ImportedTrial,
  trialEvent,
} from "../trials/imported-trial.ts";

/** Columns that no other table has. */
const OWN: readonly string[] = ["evaluation_call_id", "row_digest", "predict_and_score_call_id", "trial"];

/** A digest, or its substitute, in the form that a reference to a row can hold. */
const DIGEST = /^[\w.~-]{1,200}$/;

/** Whether a table with these columns is an export. */
export function isExport(columns: Iterable<string>): boolean {
  const names = new Set(columns);
  return OWN.every((name) => names.has(name));
}

/** Reads the evaluations and trials of an export. */
export async function* exportedTrials(file: ImportFile): AsyncGenerator<ImportEvent> {
  const { fileType } = await fileHead(file);
  const { records } = await recordsOf(file);
  const seen = new Set<string>();
  yield { kind: "note", note: `${file.path}: an export of Assay, one record for each trial` };
  let count = 0;
  for await (const some of records)
    for (const cells of some) {
      count++;
      const record = fileType === "table" || fileType === "parquet" ? valuesOf(cells, fileType) : cells;
      const id = textOf(record["evaluation_call_id"]);
      if (id === undefined) throw new Unreadable(`record ${count}: no evaluation in evaluation_call_id`);
      if (!seen.has(id)) {
        seen.add(id);
        const name = textOf(record["evaluation"]) ?? id;
        const [model, startedAt] = ["model", "evaluation_started_at"].map((column) => textOf(record[column]));
        yield evaluationEvent({ id, name, model, startedAt, dataset: "export", scoreTexts: "text" });
      }
      yield trialEvent({ evaluation: id, ...trialOf(record) });
    }
  if (count === 0) throw new Unreadable("a table without records");
}

function trialOf(record: JsonObject): Omit<ImportedTrial, "evaluation"> {
  const row = partOf(record, "inputs") ?? {};
  const digest = textOf(record["row_digest"]);
  const number = Number(record["trial"] ?? Number.NaN);
  const scores = partOf(record, "scores");
  return {
    // A row that is not an object has a field for its value.
    row: isObject(row) ? row : { inputs: row },
    rowDigest: digest !== undefined && DIGEST.test(digest) ? digest : undefined,
    repetition: Number.isSafeInteger(number) && number > 0 ? number - 1 : undefined,
    output: partOf(record, "outputs"),
    scores: isObject(scores) ? scores : {},
    latencySeconds: numberOf(record["model_latency_seconds"]),
    totalTokens: numberOf(record["total_tokens"]),
  };
}

/** The content of a part's columns: an object of the paths in it, or the value of the column with its name. */
function partOf(record: JsonObject, part: string): Json {
  const members: Members = new Map();
  for (const [column, cell] of Object.entries(record)) {
    if (cell === null || !column.startsWith(`${part}.`)) continue;
    const path = readFieldPath(column);
    put(members, path.ok ? path.value.slice(1) : [column.slice(part.length + 1)], cell);
  }
  return members.size > 0 ? objectOf(members) : (record[part] ?? null);
}

/** The members of an object under construction: values, or more such objects. */
type Members = Map<string, Members | { readonly value: Json }>;

function put(members: Members, [key = "", ...deeper]: readonly string[], value: Json): void {
  if (deeper.length === 0) {
    members.set(key, { value });
    return;
  }
  const inner = members.get(key);
  const below: Members = inner instanceof Map ? inner : new Map();
  members.set(key, below);
  put(below, deeper, value);
}

function objectOf(members: Members): JsonObject {
  return Object.fromEntries(
    Array.from(members, ([key, member]) => [key, member instanceof Map ? objectOf(member) : member.value]),
  );
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The values of cells. A text after a `'` is that text, and one that begins with `[` a list. In CSV, where every value
 * is text, numbers, true and false are recognised, and an empty cell is a missing value.
 */
function valuesOf(cells: JsonObject, format: "table" | "parquet"): JsonObject {
  return Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => [
      name,
      typeof cell === "string" ? meant(cell, format) : cell,
    ]),
  );
}

function meant(cell: string, format: "table" | "parquet"): Json {
  if (cell.startsWith("'")) return cell.slice(1);
  if (cell.startsWith("[")) return jsonOrText(cell);
  if (format === "parquet") return cell;
  if (cell === "") return null;
  if (cell === "true" || cell === "false") return cell === "true";
  return NUMBER.test(cell) ? jsonOrText(cell) : cell;
}

function textOf(cell: Json | undefined): string | undefined {
  if (cell === null || cell === undefined) return undefined;
  return typeof cell === "string" ? cell : JSON.stringify(cell);
}

function numberOf(cell: Json | undefined): number | undefined {
  return typeof cell === "number" ? cell : undefined;
}

// A typical table: the answers of three models to a hundred thousand questions, with quotes, line breaks and non-ASCII
// letters in its cells; as CSV, JSON lines and Parquet. The same count always gives the same records.

import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

/** The columns, in order. */
const COLUMNS = ["id", "question", "expected", "category", "model", "answer", "correct", "quality"];
/** The models, one value of the column each. */
export const MODELS = ["small", "medium", "large"];

const WORDS =
  'the model answers "with" a text, in which numbers such as 3.25 and naïve words — Größe, 東京, café — stand beside each other, and so on; every token was sampled'.split(
    " ",
  );

/** Pseudo-random words, a function of `n`. */
function words(n: number, count: number): string {
  const chosen: string[] = [];
  let state = (n + 1) * 0x9e3779b1;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    chosen.push(WORDS[(state >>> 8) % WORDS.length]!);
  }
  return chosen.join(" ");
}

/** The record of the answer to question `row` by the model at index `m`. */
function recordOf(row: number, m: number): readonly (string | number | boolean)[] {
  const n = row * MODELS.length + m;
  const mixed = Math.imul(n + 1, 0x85ebca6b) >>> 0;
  const isRight = mixed % 100 < 55 + m * 8;
  return [
    `q${row}`,
    `Question ${row}: ${words(row, 8)}?`,
    words(row + 1, 1),
    `category ${row % 14}`,
    MODELS[m]!,
    n % 50 === 0 ? `${words(n + 7, 4)}\n${words(n, 4)}` : words(n + 7, 10),
    isRight,
    ((mixed >>> 8) % 1024) / 1024,
  ];
}

/** The file formats. */
export type Form = "csv" | "jsonl" | "parquet";

/** Writes a table of `rows` questions. */
export async function writeAnswers(path: string, rows: number, form: Form): Promise<void> {
  if (form !== "parquet") return writeText(path, rows, form);
  const text = `${path}.csv`;
  writeText(text, rows, "csv");
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`COPY (SELECT * FROM read_csv('${text}')) TO '${path}' (FORMAT parquet)`);
  connection.closeSync();
  rmSync(text);
}

function writeText(path: string, rows: number, form: "csv" | "jsonl"): void {
  const file = openSync(path, "w");
  let pending = form === "csv" ? `${COLUMNS.join(",")}\n` : "";
  for (let row = 0; row < rows; row++) {
    for (let m = 0; m < MODELS.length; m++) {
      const record = recordOf(row, m);
      pending +=
        form === "csv"
          ? `${record.map(cell).join(",")}\n`
          : `${JSON.stringify(Object.fromEntries(COLUMNS.map((name, i) => [name, record[i]])))}\n`;
    }
    if (pending.length > 1 << 20) {
      writeSync(file, pending);
      pending = "";
    }
  }
  writeSync(file, pending);
  closeSync(file);
}

function cell(value: string | number | boolean): string {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

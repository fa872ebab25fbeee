// Reads the results table of Ragas, saved as CSV, JSON lines, JSON or Parquet.

import type { Json } from "@assay/base";
import { fileStem } from "../files/import-file.ts";
import { at, type JsonObject, jsonOrText, present } from "../json/json-text.ts";
import { roleOf } from "../tables/columns/column-roles.ts";
import type { FileHead } from "../tables/file-head.ts";
import { recordsOf } from "../tables/records.ts";
import { isIndexColumn } from "../tables/shapes/column-names.ts";
import { evaluationEvent, trialEvent } from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

const NEW = {
  input: "user_input",
  contexts: "retrieved_contexts",
  output: "response",
  expected: "reference",
} as const;
const OLD = { input: "question", contexts: "contexts", output: "answer", expected: "ground_truth" } as const;
const OTHERS = [
  "reference_contexts",
  "rubric",
  "rubrics",
  "multi_responses",
  "reference_tool_calls",
  "persona_name",
];

/** Ragas. */
export const ragas: Importer = {
  name: "ragas",
  title: "Ragas table",
  isTabular: true,
  recognises: ({ keys, text }: FileHead) =>
    ["", "*."].some(
      (b) =>
        (keys.has(`${b}user_input`) &&
          (keys.has(`${b}response`) ||
            keys.has(`${b}retrieved_contexts`) ||
            keys.has(`${b}user_input.*.type`) ||
            CELL_OF_TURNS.test(text))) ||
        Object.values(OLD).every((column) => keys.has(b + column)),
    ),
  async *read([file]) {
    const id = fileStem(file!);
    const { records, areTexts } = await recordsOf(file!);
    yield evaluationEvent({
      id,
      name: id,
      model: id,
      dataset: "ragas",
      scoreTexts: areTexts ? "cells" : "words",
    });
    for await (const some of records)
      for (const record of some) {
        const names = Object.hasOwn(record, NEW.input) ? NEW : OLD;
        const own = new Set<string>([...Object.values(names), ...OTHERS]);
        const { input, answer } = turnsIn(record[names.input]);
        const beside = Object.keys(record).filter(isBeside);
        const key = present({ input, expected: record[names.expected] });
        yield trialEvent({
          evaluation: id,
          row: present({ ...key, ...pick(record, ["reference_contexts", "rubric", "rubrics"]) }),
          rowKey: key,
          output: answer ?? record[names.output] ?? null,
          scores: Object.fromEntries(
            Object.entries(record).filter(
              ([column]) => !own.has(column) && !beside.includes(column) && !isIndexColumn(column),
            ),
          ),
          attributes: present({
            retrieved_contexts: listOf(record[names.contexts]),
            ...pick(record, beside),
          }),
        });
      }
  },
};

/** How a conversation begins in a cell, and in a file. */
const TURNS = /^\[\{['"]content['"]: /;
const CELL_OF_TURNS = /"\[\{(?:'|"")content(?:'|""): /;

/**
 * The question and the answer. In a conversation, the human's messages are the question, and the whole conversation is
 * the answer.
 */
function turnsIn(input: Json | undefined): { readonly input: Json | undefined; readonly answer?: Json } {
  const turns = typeof input === "string" && TURNS.test(input) ? jsonOrText(input) : input;
  if (!Array.isArray(turns)) return { input };
  const said = (turns as readonly Json[]).filter((turn) => at(turn, "type") === "human");
  return { input: said.map((turn) => at(turn, "content") ?? null), answer: turns };
}

/** Whether a column is not a metric but a cost or a judge's reason. */
function isBeside(column: string): boolean {
  return ["fact", "latency", "tokens", "note"].includes(roleOf(column)?.role ?? "");
}

function pick(record: JsonObject, columns: readonly string[]): JsonObject {
  return present(
    Object.fromEntries(columns.flatMap((column) => (record[column] ? [[column, record[column]]] : []))),
  );
}

/** A list, which CSV files hold in Python notation: those stay texts. */
function listOf(contexts: Json | undefined): Json | undefined {
  return typeof contexts === "string" ? jsonOrText(contexts) : contexts;
}

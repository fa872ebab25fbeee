// docs/reference/import-formats.md: its tables of names, words and shapes equal those of the code.

import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { INFINITIES, MISSING_WORDS, VOCABULARIES } from "../src/scores/score-words.ts";
import { roleOf } from "../src/tables/columns/column-roles.ts";
import {
  MODEL_FAMILIES,
  NAME_PARTS,
  ROLE_NAMES,
  RUN_NAMES,
  SCORE_LISTS,
  SCORE_PREFIXES,
  SCORE_SUFFIXES,
  SUMMARY_NAMES,
  VALUE_NAMES,
} from "../src/tables/columns/role-names.ts";
import { SHAPES } from "../src/tables/shapes/json-shapes.ts";

const PAGE = new URL("../../../docs/reference/import-formats.md", import.meta.url);
const [BEGIN, END] = ["<!-- names, words and shapes: begin -->", "<!-- names, words and shapes: end -->"];

/** The page's description of each role. */
const ROLES: Readonly<Record<keyof typeof ROLE_NAMES, string>> = {
  id: "the row's id",
  input: "the question",
  expected: "the expected answer",
  output: "the answer",
  model: "the evaluation",
  trial: "the trial",
  score: "a score",
  metric: "a metric's name",
  latency: "the latency",
  tokens: "the tokens",
  error: "the error",
  fact: "a fact, not a score",
  note: "a note, not a score",
};

const code = (words: readonly string[]) =>
  [...new Set(words)]
    .map((word) => (word === "" ? "(empty)" : `\`${word.replaceAll("|", "\\|")}\``))
    .join(", ");

/** A table in Markdown. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function understood(): string {
  return [
    table(
      ["A column is", "if its name is one of these; case, accents, spaces, `_` and `-` are ignored"],
      Object.entries(ROLES).map(([role, what]) => [
        what,
        // Excludes names that the code gives another role.
        code(ROLE_NAMES[role as keyof typeof ROLES].filter((name) => roleOf(name)?.role === role)),
      ]),
    ),
    table(
      ["A name of several words means", "if it contains"],
      Object.entries(NAME_PARTS).map(([part, words]) => [
        PARTS[part as keyof typeof NAME_PARTS],
        code(words),
      ]),
    ),
    `Columns whose names begin with ${code(SCORE_PREFIXES)}, or end with ${code(SCORE_SUFFIXES)}, are scores too, except times, tokens and counts below \`metrics.\` and \`eval.\`. So are the objects and lists of named scores in ${code(SCORE_LISTS)}. If there is a record for each metric and no score, ${code(VALUE_NAMES)} is the score.`,
    `Columns are those of a model, one for each, if they are named like one: with a family (${code(MODEL_FAMILIES)}), a provider (\`openai/…\`), or as a run (${code(RUN_NAMES)}, \`model_a\`, \`run 2\`, \`v3\`). The last lines of a table are left out if they sum up the others: ${code(SUMMARY_NAMES)}.`,
    table(
      ["Scores written as", "right", "wrong", "half right"],
      VOCABULARIES.map(({ name, right, wrong, half = [] }) => [name, code(right), code(wrong), code(half)]),
    ),
    `These scores and errors count as missing: ${code(MISSING_WORDS)}. In a column of errors, \`false\`, \`no\`, \`0\` and \`ok\` do too. Among scores so do ${code(INFINITIES)}, with or without a sign, and numbers that a double cannot hold, such as \`1e400\`.`,
    table(["A JSON table can be", "for example"], SHAPES),
  ].join("\n\n");
}

const PARTS: Readonly<Record<keyof typeof NAME_PARTS, string>> = {
  expected: "the expected answer (together with an answer word)",
  output: "the answer (together with an answer word)",
  form: "another form of the answer (together with an answer word)",
  answers: "an answer: these are the answer words",
  choices: "an answer, as the last word: answer words too",
  inputs: "the question, as the last word",
  measures: "a score, as the last word",
  verdicts: "a score, as the last word, wherever the column is",
  costs: "a fact for which lower is better, as the last word",
  settings: "a fact, as the last word",
  counted: "a number that is not a score, as the last word before `used`, `made`, `taken`, `done`, `total`",
  judges: "a model that does not answer (together with `model`)",
  descriptions: "a number that is not a score, as the last word",
  rows: "an id if there is no question (together with `idx`, `index`, `number`, `no`, `nr`)",
  notRows: "an id that is not the row's (together with `id`)",
};

test("the tables of the page are those of the code; ASSAY_WRITE_DOCS=1 writes them", () => {
  const page = readFileSync(PAGE, "utf8");
  const [before, rest] = page.split(BEGIN) as [string, string];
  const [, after] = rest.split(END) as [string, string];
  const written = `${before}${BEGIN}\n\n${understood()}\n\n${END}${after}`;
  if (process.env["ASSAY_WRITE_DOCS"] === "1") writeFileSync(PAGE, written);
  // The formatter aligns columns and wraps lines.
  else expect(unaligned(page)).toBe(unaligned(written));
});

const unaligned = (text: string) => text.replace(/\s+/g, " ").replace(/-{3,}/g, "---");

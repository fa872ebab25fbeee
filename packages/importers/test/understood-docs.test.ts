// docs/how-to/importing.md: its tables of names, words and shapes are the code's own.

import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NOTHING, VOCABULARIES } from "../src/score-words.ts";
import {
  NAME_PARTS,
  ROLE_NAMES,
  roleOf,
  SCORE_PREFIXES,
  SCORE_SUFFIXES,
} from "../src/tables/column-roles.ts";
import { SHAPES } from "../src/tables/json-shapes.ts";

const PAGE = new URL("../../../docs/how-to/importing.md", import.meta.url);
const [BEGIN, END] = ["<!-- names, words and shapes: begin -->", "<!-- names, words and shapes: end -->"];

/** What the page calls each role. */
const ROLES: Readonly<Record<keyof typeof ROLE_NAMES, string>> = {
  id: "the row's id",
  input: "the question",
  expected: "what was expected",
  output: "what was answered",
  model: "the evaluation",
  trial: "the repetition",
  score: "a score",
  latency: "the latency",
  tokens: "the tokens",
  error: "the error",
  fact: "a fact, no score",
  note: "a remark, no score",
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
      ["A column is", "when its name is, whatever its case, accents, spaces, `_` and `-`"],
      Object.entries(ROLES).map(([role, what]) => [
        what,
        // What is listed as something else too is that.
        code(ROLE_NAMES[role as keyof typeof ROLES].filter((name) => roleOf(name)?.role === role)),
      ]),
    ),
    table(
      ["A name is put together of", "words"],
      Object.entries(NAME_PARTS).map(([part, words]) => [
        PARTS[part as keyof typeof NAME_PARTS],
        code(words),
      ]),
    ),
    `A score is also what begins with ${code(SCORE_PREFIXES)} or ends with ${code(SCORE_SUFFIXES)}.`,
    table(
      ["Scores in", "right", "wrong", "half right"],
      VOCABULARIES.map(({ name, right, wrong, half = [] }) => [name, code(right), code(wrong), code(half)]),
    ),
    `Nothing, among scores and errors, is ${code(NOTHING)}; in a column of errors \`false\`, \`no\`, \`0\` and \`ok\` too.`,
    table(["A JSON table is", "as in"], SHAPES),
  ].join("\n\n");
}

const PARTS: Readonly<Record<keyof typeof NAME_PARTS, string>> = {
  expected: "what was expected, beside an answer's word",
  output: "what was answered, beside an answer's word",
  form: "what was answered in another form, beside an answer's word",
  answers: "an answer's word",
  choices: "an answer's word where it is one of several",
  inputs: "a question's word, last",
  measures: "a score's word, last",
  verdicts: "a verdict's word, last: a score wherever it stands",
  costs: "a cost's word: a fact, where lower is better",
  settings: "a setting's word, last: a fact",
  judges: "what makes a `model` another than the one that answers",
  notRows: "what makes an `id` another than the row's",
};

test("the tables of the page are those of the code; ASSAY_WRITE_DOCS=1 writes them", () => {
  const page = readFileSync(PAGE, "utf8");
  const [before, rest] = page.split(BEGIN) as [string, string];
  const [, after] = rest.split(END) as [string, string];
  const written = `${before}${BEGIN}\n\n${understood()}\n\n${END}${after}`;
  if (process.env["ASSAY_WRITE_DOCS"] === "1") writeFileSync(PAGE, written);
  // The formatter lines the columns up.
  else expect(unaligned(page)).toBe(unaligned(written));
});

const unaligned = (text: string) => text.replace(/ +/g, " ").replace(/-{3,}/g, "---");

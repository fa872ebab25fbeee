// Names and values of any length: the built command truncates them before layout, and ends in seconds.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assay } from "@assay/testing/command";
import { afterAll, expect, test } from "vitest";

const home = mkdtempSync(join(tmpdir(), "assay-long-texts-"));
afterAll(() => rmSync(home, { recursive: true }));

const P = "acme/long";
const ROWS = 12;

const ALPHABETS = {
  words: "word ",
  "wide letters and joined emoji": "長い文👩‍👩‍👧‍👦e\u0301\u0302",
  "terminal escape sequences": "\u001b[31m\u001b]8;;",
  "quotes and brackets": "\"'`[]{}.\\",
} as const;

type Alphabet = keyof typeof ALPHABETS;

function textOf(alphabet: Alphabet, length: number, end = ""): string {
  const part = ALPHABETS[alphabet];
  return `${part.repeat(Math.ceil(length / part.length))}${end}`;
}

/** Two evaluations of the same rows, with texts from `text`. */
function lines(text: (place: string) => string): string {
  const example = (row: number) => ({
    [text("field")]: row % 2 === 0 ? "even" : "odd",
    prompt: text("value"),
    id: row,
  });
  return ["a", "b"]
    .flatMap((run, r) => {
      const shared = { project_id: P, trace_id: run, attributes: {}, summary: {}, ended_at: null };
      const at = `2026-01-0${r + 1}T00:00:00Z`;
      const root = {
        ...shared,
        id: run,
        display_name: `${text("name")} ${run}`,
        op_name: "Evaluation.evaluate",
        started_at: at,
        inputs: { self: `weave:///${P}/object/e:v0`, model: text("model") },
      };
      const trials = Array.from({ length: ROWS }, (_, row) => ({
        ...shared,
        id: `${run}-${row}`,
        parent_id: run,
        op_name: "Evaluation.predict_and_score",
        started_at: at,
        inputs: { example: example(row) },
        output: {
          output: text("output"),
          scores: { correct: row % (r + 2) === 0, [text("score")]: row, said: text("said") },
        },
      }));
      return [root, ...trials];
    })
    .map((call) => JSON.stringify(call))
    .join("\n");
}

const PLACES = ["field", "value", "name", "model", "output", "score", "said"];

const COMMANDS: readonly (readonly string[])[] = [
  ["compare", P, "a", "b", "--slices", "--measure", "correct", "--format", "table"],
  ["compare", P, "a", "b", "--slices", "--measure", "correct", "--format", "markdown"],
  ["compare", P, "a", "b", "--format", "table"],
  ["compare", P, "--ranking", "--format", "table"],
  ["query", P, "a", "b", "--format", "table"],
  ["evaluations", P, "--format", "table"],
];

test.each<[string, number, Alphabet, readonly string[]]>([
  ["a prompt that rows share", 200_000, "words", ["value"]],
  ["every name and value", 20_000, "wide letters and joined emoji", PLACES],
  ["every name and value", 20_000, "terminal escape sequences", PLACES],
  ["a measure, a field and a name", 200_000, "quotes and brackets", ["score", "field", "name"]],
])("%s of %i characters, %s, are truncated before layout", async (_, length, alphabet, places) => {
  const data = mkdtempSync(join(home, "data-"));
  const stdin = lines((place) => (places.includes(place) ? textOf(alphabet, length) : place));
  const brought = await assay(["import", P, "-", "--data", data], { stdin, timeout: 60_000 });
  expect(brought).toMatchObject({ exitCode: 0 });
  for (const args of COMMANDS) {
    const ended = await assay([...args, "--data", data]);
    expect([args.slice(0, 5), ended.exitCode, ended.stderr.slice(0, 500)]).toEqual([args.slice(0, 5), 0, ""]);
    expect(ended.stdout.length).toBeLessThan(60_000);
  }
  // A single row is shown in full, in time proportional to its length.
  const shown = await assay(["show", P, "inputs.id = 3", "a", "b", "--format", "table", "--data", data]);
  expect([shown.exitCode, shown.stderr.slice(0, 500)]).toEqual([0, ""]);
});

// One name per score: options and conditions accept the names that the built command prints, whatever characters they
// contain.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureName } from "@assay/eval-engine/words";
import { printFieldPath, readField } from "@assay/query-lang/internal";
import { assay } from "@assay/testing/command";
import fc from "fast-check";
import { XMLParser } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { measureNamed } from "../src/query/score-measures.ts";
import { whereExpression, withScores } from "../src/query/where-expression.ts";

const home = mkdtempSync(join(tmpdir(), "assay-score-names-"));
afterAll(() => rmSync(home, { recursive: true }));

const data = join(home, "data");
const P = "acme/names";
const NAMES = ["f1.macro", 'rouge[l] "правда"\\', "in"];

beforeAll(async () => {
  const lines = ["a", "b"].flatMap((run, r) => {
    const shared = { project_id: P, trace_id: run, attributes: {}, summary: {}, ended_at: null };
    const started_at = `2026-01-0${r + 1}T00:00:00Z`;
    const inputs = { self: `weave:///${P}/object/e:v0`, model: `${run}-model` };
    const root = { ...shared, id: run, op_name: "Evaluation.evaluate", started_at, inputs };
    const trials = [0, 1, 2, 3].map((row) => ({
      ...shared,
      id: `${run}-${row}`,
      parent_id: run,
      op_name: "Evaluation.predict_and_score",
      started_at,
      inputs: { example: { id: row, "grade level": row % 2 } },
      output: {
        output: "x",
        scores: {
          ...Object.fromEntries(NAMES.map((name, i) => [name, (row + r + i) % 3])),
          match: { "f1.micro": row / 4 },
        },
      },
    }));
    return [root, ...trials];
  });
  const file = join(home, "calls.jsonl");
  writeFileSync(file, lines.map((call) => JSON.stringify(call)).join("\n"));
  expect(await assay(["import", P, file, "--data", data])).toMatchObject({ exitCode: 0 });
}, 60_000);

async function ok(...args: readonly string[]): Promise<string> {
  const ended = await assay([...args, "--data", data]);
  expect([args, ended.exitCode, ended.stderr]).toEqual([args, 0, ""]);
  return ended.stdout;
}

/** The names of the measures as a comparison prints them. */
async function printedNames(): Promise<readonly string[]> {
  const xml = await ok("compare", P, "a", "b", "--format", "junit");
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "@" });
  const { testcase } = parser.parse(xml).testsuites.testsuite;
  return testcase.map((one: { readonly "@name": string }) => one["@name"]);
}

describe("the built command", () => {
  test("accepts every score name that it prints, and prints the same one everywhere", async () => {
    const names = await printedNames();
    expect(names).toHaveLength(NAMES.length + 1);
    const table = (await ok("query", P, "a", "b", "--format", "table")).replaceAll(/[│\s]+/g, "");
    for (const name of names) {
      expect(table).toContain(name.replaceAll(/\s+/g, ""));
      const compared = JSON.parse(await ok("compare", P, "a", "b", "--measure", name, "--format", "json"));
      const { field } = compared.comparisons[0].measures[0];
      expect(measureName(field)).toBe(name);
      const sorted = JSON.parse(await ok("query", P, "a", "b", "--sort", `Δ${name}`, "--explain"));
      expect(sorted.sort_by).toMatchObject([{ field }]);
      const kept = await ok("query", P, "a", "b", "--where", `${name} >= 0`, "--explain");
      expect(JSON.parse(kept).filters[0].query.$expr.$gte[0]).toEqual({ $getField: field });
    }
  }, 120_000);

  test("accepts the end of a score's name in the conditions of every command", async () => {
    const where = "f1.micro = 0.5";
    for (const args of [
      ["query", P],
      ["query", P, "a", "b"],
      ["compare", P, "a", "b"],
    ]) {
      const [named, whole] = await Promise.all(
        [where, `match["${where.replace(" ", '"] ')}`].map((text) => ok(...args, "--where", text)),
      );
      expect(JSON.parse(named!)).toEqual(JSON.parse(whole!));
    }
    expect(JSON.parse(await ok("show", P, where)).raw_data_row).toMatchObject({ id: 2 });
    const output = join(home, "one.html");
    const exported = ["export", P, "--format", "html", "--where", where, "--output", output, "--data", data];
    expect(await assay(exported)).toMatchObject({ exitCode: 0 });
    const unknown = await assay([...exported.slice(0, 5), "macros > 0", ...exported.slice(6)]);
    expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('unknown field "macros"') });
  }, 60_000);

  test("uses names in its notes that options and conditions accept", async () => {
    const { stdout } = await assay(["compare", P, "a", "b", "--format", "table", "--data", data]);
    const notes = stdout.replaceAll(/\s+/g, " ");
    expect(notes).toMatch(/ dominate .*scores\["f1\.macro"\].*, so intervals may be too narrow/);
    expect(notes).not.toContain("f1\\.macro");
    // The runs are named a and b, which also occur as other words and letters.
    expect(notes).toContain("Note: a-model is still running: its numbers will change");
    expect(notes).toContain("Note: a few rows dominate");
  });

  test.each(["f1.macro", "scores.f1\\.macro", 'scores["f1.macro"]'])(
    "accepts %s for a score with a dot",
    async (name) => {
      const asked = ["compare", P, "a", "b", "--measure", name, "--format", "json"];
      expect(JSON.parse(await ok(...asked)).comparisons[0].measures[0].field).toBe("scores.f1\\.macro");
    },
  );

  test.each([
    ["--measure", "f1.macros", 'scores["f1.macro"]'],
    ["--where", "scores.f1.macro > 0", 'scores["f1.macro"]'],
    ["--slices", "inputs.grade levl", 'inputs["grade level"]'],
  ])("proposes a name that %s accepts", async (option, wrong, right) => {
    const refused = await assay(["compare", P, "a", "b", option, wrong, "--data", data]);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(right);
    await ok("compare", P, "a", "b", option, option === "--where" ? `${right} > 0` : right);
  });
});

test("a printed score name means that score, whatever it contains", () => {
  const key = fc.oneof(
    fc.constantFrom("f1.macro", "a\\.b", "scores", "of", "Δx", "diff", "asc", "total_tokens", "1"),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }),
    fc
      .array(fc.constantFrom(".", '"', "'", "[", "]", "\\", " ", "a", "é", "я", "字", "-", "\n"), {
        minLength: 1,
        maxLength: 6,
      })
      .map((parts) => parts.join("")),
  );
  const paths = fc.uniqueArray(fc.array(key, { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 4,
    selector: (path) => JSON.stringify(path),
  });
  fc.assert(
    fc.property(paths, (all) => {
      const scores = all.map((path) => printFieldPath(["scores", ...path]));
      for (const field of scores) {
        const name = measureName(field);
        expect(measureNamed(name, scores)).toEqual({ field });
        expect(readField(name).ok).toBe(true);
        expect(withScores(whereExpression(`${name} > 0`), scores)).toEqual({
          $gt: [{ $getField: field }, { $literal: 0 }],
        });
      }
    }),
    { numRuns: 300 },
  );
});

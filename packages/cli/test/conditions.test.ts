// Conditions and sort keys scoped to one evaluation by any of its names: with named or default evaluations, in a
// project or a file, for a query and a comparison.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCondition } from "../src/query/conditions.ts";
import { assay } from "./run-in-process.ts";

describe("a condition that starts with a name", () => {
  const conditions = ["scores.correct", 'inputs.kind = "a: b"', '{"$eq": [1, 1]}', "not scores.ok"];
  test("is the same condition, scoped to that evaluation, whether or not the name is known", () => {
    const name = fc.stringMatching(/^[a-z][\w /().-]{0,8}(: [a-z0-9]{1,3})?$/);
    fc.assert(
      fc.property(name, fc.constantFrom(...conditions), fc.boolean(), (called, text, isKnown) => {
        const plain = readCondition(text, isKnown ? [called] : []);
        expect(plain.about).toBeUndefined();
        const scoped = readCondition(`${called}: ${text}`, isKnown ? [called] : []);
        expect(scoped).toEqual({ ...plain, about: called });
      }),
    );
  });

  test("matches the longest of the names", () => {
    expect(readCondition("a: b: scores.x", ["a", "a: b"])).toMatchObject({ about: "a: b", text: "scores.x" });
  });
});

const MODELS = ["x", "y", "z"];
/** Whether a model is right on row `i`. */
const isRight = (model: number, i: number): boolean => (i >> model) % 2 === 1;
const ROWS = [0, 1, 2, 3, 4, 5, 6, 7];

describe.each(["a file", "a project"])("of %s", (kind) => {
  let home: string;
  let source: readonly string[];
  let store: readonly string[];
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "assay-conditions-"));
    const file = join(home, "three.csv");
    const lines = ROWS.flatMap((i) =>
      MODELS.map((model, m) => `q${i},${model},${isRight(m, i) ? "yes" : "no"}`),
    );
    writeFileSync(file, ["id,model,correct", ...lines, ""].join("\n"));
    [source, store] = kind === "a file" ? [[file], []] : [["me/three"], ["--data", join(home, "data")]];
    if (kind !== "a file") await assay(["import", "me/three", file, ...store]);
  });
  afterAll(() => rmSync(home, { recursive: true }));
  const ask = (command: string, ...args: string[]) => assay([command, ...source, ...args, ...store]);
  const query = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await ask("query", ...args, "--limit", "100");
    expect(exitCode, stderr).toBe(0);
    return JSON.parse(stdout) as { rows: { raw_data_row: { id: string } }[]; total_rows: number };
  };
  const ids = async (...args: string[]) =>
    (await query(...args)).rows.map((row) => row.raw_data_row.id).sort();

  test.each([
    [["x: scores.correct"], (i: number) => isRight(0, i)],
    [["y: scores.correct", "z: not correct"], (i: number) => isRight(1, i) && !isRight(2, i)],
    [["x: correct", 'inputs.id != "q7"'], (i: number) => isRight(0, i) && i !== 7],
  ])("where %j, named or not", async (where, meets) => {
    const wanted = ROWS.filter(meets).map((i) => `q${i}`);
    const conditions = where.flatMap((one) => ["--where", one]);
    expect(await ids(...conditions)).toEqual(wanted);
    expect(await ids(...MODELS, ...conditions)).toEqual(wanted);
    const compared = await ask("compare", ...MODELS, ...conditions);
    expect(compared.exitCode, compared.stderr).toBe(0);
    expect(JSON.parse(compared.stdout)).toMatchObject({ row_count: wanted.length });
    const ranked = await ask("compare", ...conditions, "--ranking");
    expect(JSON.parse(ranked.stdout)).toMatchObject({ row_count: wanted.length });
  });

  test("sorted by the score of one", async () => {
    const named = await ask("query", ...MODELS, "--sort", "correct of y desc");
    const chosen = await ask("query", "--sort", "correct of y desc");
    expect(chosen.exitCode, chosen.stderr).toBe(0);
    const order = ({ stdout }: { stdout: string }) =>
      (JSON.parse(stdout) as { rows: { row_digest: string }[] }).rows.map((row) => row.row_digest);
    expect(order(chosen)).toEqual(order(named));
  });

  test.each([
    ["query", "--where", "w: scores.correct", '--where: "w" is not one of the evaluations of this query'],
    ["query", "--sort", "correct of w", '--sort: "w" is not one of the evaluations of this query'],
    ["compare", "--where", "w: scores.correct", '--where: "w" is not one of the evaluations of this query'],
  ])("%s %s %j is refused", async (command, option, text, message) => {
    expect(await ask(command, option, text)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(message),
    });
  });
});

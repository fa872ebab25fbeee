// An import keeps the notation of a table's numbers, and rows with such numbers are identified as in calls.

import { jsonText } from "@assay/base";
import { rowDigest } from "@assay/calls";
import { readCallRecord } from "@assay/calls/internal";
import { readTrial } from "@assay/eval-engine/internal";
import { exactMean } from "@assay/statistics/exact";
import { check } from "@assay/testing/property";
import { textFile } from "@assay/testing/text-file";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesFile, planImport } from "../src/index.ts";
import { written } from "./support.ts";

const digits = fc.stringMatching(/^[1-9][0-9]{0,21}$/);
const number = fc.oneof(
  fc.constantFrom("0", "-0", "1", "1.0", "-1.50", "1e5", "1E+5", "1e-05", "0.1", "12345678901234567890"),
  fc
    .tuple(fc.constantFrom("", "-"), digits, fc.constantFrom("", ".0", ".50", "e3", ".25e-7"))
    .map((parts) => parts.join("")),
);

/** A table of one record with this number in each of its fields, by file format. */
const forms = {
  lines: (value: string) =>
    `{"model":"m","question":${value},"deep":{"of":[${value}]},"answer":${value},"score":${value}}\n`,
  list: (value: string) =>
    `[{"model":"m","question":${value},"deep":{"of":[${value}]},"answer":${value},"score":${value}}]`,
  split: (value: string) =>
    `{"columns":["model","question","deep","answer","score"],"data":[["m",${value},{"of":[${value}]},${value},${value}]]}`,
};

test("a number of a table keeps its notation, and its row equals that of a call", async () => {
  await check(
    fc.tuple(fc.constantFrom(...(Object.keys(forms) as (keyof typeof forms)[])), number),
    async ([form, value]) => {
      const plan = await planImport([bytesFile("t.json", new TextEncoder().encode(forms[form](value)))], {});
      const rows: unknown[] = [];
      const calls: string[] = [];
      const all = await written(plan);
      for (const { val } of all.rows) {
        rows.push(jsonText(val));
        const row = `{"deep":{"of":[${value}]},"question":${value}}`;
        const call = readCallRecord(
          `{"id":"c","parent_id":"e","op_name":"Evaluation.predict_and_score","inputs":{"example":${row}}}`,
        );
        if (!call.ok) throw new Error(row);
        expect(rowDigest(val)).toBe(readTrial({ call: call.value.call, children: [] })!.digest);
      }
      for (const call of all.calls) if (call.parent_id !== null) calls.push(jsonText(call.output));
      expect(rows).toEqual([`{"question":${value},"deep":{"of":[${value}]}}`]);
      expect(calls).toEqual([`{"output":${value},"scores":{"score":${value}}}`]);
    },
    { numRuns: Number(process.env["ASSAY_RUNS"] ?? 200) },
  );
});

test("rows that differ beyond the precision of a double are two rows", async () => {
  const lines = ["12345678901234567890", "12345678901234567891"].map(
    (id) => `{"model":"m","id":${id},"question":"q","answer":"a","score":1}\n`,
  );
  for (const rowKey of [undefined, "id"]) {
    const file = bytesFile("t.jsonl", new TextEncoder().encode(lines.join("")));
    const plan = await planImport([file], { rowKey });
    const { rows } = await written(plan);
    const digests = new Set(rows.map(({ digest }) => digest));
    expect(digests.size).toBe(2);
  }
});

test("the mean that an import reports equals that of a query, and is finite if its scores are", async () => {
  const score = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(1e308, -1e308));
  await check(
    fc.array(score, { minLength: 1, maxLength: 12 }),
    async (scores) => {
      const lines = scores.map((value, id) => `${JSON.stringify({ id, model: "m", score: value })}\n`);
      const plan = await planImport([textFile("t.jsonl", lines.join(""))], {
        types: new Map([["score", "number"]]),
      });
      expect(plan.evaluations[0]!.scores[0]!.mean! + 0).toBe(exactMean(scores) + 0);
    },
    { numRuns: Number(process.env["ASSAY_RUNS"] ?? 200) },
  );
});

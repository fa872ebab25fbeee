// JSON lines and Parquet files give the same result whether they are read as the bytes of their values or as records.

import { cases } from "@assay/testing/cases";
import { FIXTURES, fromBase64, ZSTD_PARQUET } from "@assay/testing/import-fixtures";
import { textFile } from "@assay/testing/text-file";
import fc from "fast-check";
import { expect, test } from "vitest";
import { pieces } from "../src/files/pieces.ts";
import { bytesFile, planImport } from "../src/index.ts";
import { type CellRows, FastPathError } from "../src/tables/cells/cell-rows.ts";
import { jsonRows } from "../src/tables/cells/json-cells.ts";
import { listLines } from "../src/tables/cells/list-lines.ts";
import { parquetRecords, parquetRows } from "../src/tables/parquet/parquet-records.ts";
import { BROTLI_PARQUET, INDEX_PARQUET, INTERVAL_PARQUET, LZ4_PARQUET } from "./parquet-files.ts";
import { written } from "./support.ts";

const RUNS = cases(1000);

type Read = (names: string[], isChecked: boolean) => AsyncIterable<CellRows>;

/** The JSON of each value of each row, or undefined if the file cannot be read this way. */
async function cellsOf(read: Read): Promise<readonly Readonly<Record<string, string>>[] | undefined> {
  const names: string[] = [];
  const rows: Record<string, string>[] = [];
  try {
    for await (const { bytes, cells, count } of read(names, false)) {
      for (let row = 0; row < count; row++) {
        const found = names.map((name, i) => {
          const cell = row * names.length + i;
          return [name, new TextDecoder().decode(bytes.subarray(cells.starts[cell], cells.ends[cell]))];
        });
        rows.push(Object.fromEntries(found.filter(([, json]) => json !== "")));
      }
    }
    return rows;
  } catch (error) {
    if (error instanceof FastPathError) return undefined;
    throw error;
  }
}

const linesOf = (text: string) =>
  cellsOf((names, isChecked) => jsonRows(pieces(textFile("t.jsonl", text)), names, isChecked));
const listOf = (text: string) =>
  cellsOf((names, isChecked) => jsonRows(listLines(pieces(textFile("t.json", text))), names, isChecked));

const value = fc.constantFrom(
  ...['""', '"a"', '"n/a"', '"say \\"so\\""', '"two\\nlines"', '"two\\r\\nlines"', '"Größe 漢 😀"'],
  ...['"Gr\\u00f6\\u00DFe \\ud83d\\ude00"', '"\\ud800"', '"a\\/b\\u000a\\u001F\\\\"', '"\\u007f\u007f"'],
  ...["0", "1", "1.0", "1.50", "1e5", "-0", "12345678901234567890", "12345678901234567891", "0.25", "1E400"],
  ...['"1"', '"85%"', "true", "false", "null", `"${"x".repeat(60)}"`, `"y\\n${"é".repeat(60)}"`],
);
const nested = fc.constantFrom(
  ...["[]", "{}", '[ 1.0, "\\u00e9" ]', '{"b": {"1": [true, null]}, "a": "x\\/y"}', '{"b":1,"b":2.50}'],
  ...['[{"role": "user", "content": "what?"}]', '{"name": "m", "size": 1}'],
);
const optional = fc.option(fc.oneof(value, nested), { nil: undefined });
const record = fc.record({
  id: fc.constantFrom('"q1"', '"q2"', '"\\u00713"', "4", "4.0", '"4"'),
  question: optional,
  model: fc.constantFrom('"small"', '"large"', "1", "1.0"),
  answer: optional,
  correct: optional,
  level: optional,
  latency_ms: fc.constantFrom(undefined, '"12"', "3.5", '"3.5 ms"', "7.0"),
  error: fc.constantFrom(undefined, "null", '""', '"None"', '"timed out"'),
  trial: fc.constantFrom(undefined, undefined, "1", '"2"'),
  usage: fc.constantFrom(
    ...[undefined, "null", "{}", '{"total_tokens": 12}', '{ "tokens":1.0 , "latency_ms" :"3"}'],
    ...['{"latency_ms":[1, 2],"tokens":"\\u0031"}', '{"note":"none of a trial"}'],
  ),
  scores: fc.constantFrom(
    undefined,
    '{"exact": true}',
    '{"exact":1.0,"f1": 0.50}',
    '[{"name":"f1","value":1}]',
  ),
});

/** A line of JSON, optionally with its members reversed. */
function lineOf(members: Readonly<Record<string, string | undefined>>, isTurned: boolean): string {
  const parts = Object.entries(members).flatMap(([name, json]) =>
    json === undefined ? [] : [`"${name}" :\t${json}`],
  );
  return ` {${(isTurned ? parts.reverse() : parts).join(" , ")} }\r`;
}

test("records give the same trials as lines, as a list and in a document, whichever reader reads them", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(record, fc.boolean()), { minLength: 1, maxLength: 12 }),
      fc.constantFrom({}, { rowKey: "id" }, { rowKey: "level" }, { output: "level" }),
      async (records, options) => {
        const lines = records.map(([members, isTurned]) => lineOf(members, isTurned));
        const [text, list] = [lines.join("\n\n"), `\n[${lines.join(",\n")}\n] `];
        const document = `{"results": ${list}}`;
        // Files with escaped names fall back to records.
        const escaped = text.replace('"id"', '"\\u0069d"');
        // So do files with lists of answers to a question.
        const areSeveral = records.some(([{ correct }]) => correct?.startsWith("[ "));
        const cells = await linesOf(text);
        expect(cells?.length).toBe(areSeveral ? undefined : records.length);
        expect(await listOf(list)).toEqual(cells);
        expect(await linesOf(escaped)).toBeUndefined();
        const plans = await Promise.all(
          [text, escaped, list, document].map((one) =>
            planImport([textFile("t.jsonl", one)], { from: "table", ...options }),
          ),
        );
        const all = await Promise.all(
          plans.map(async (plan) => {
            const { lines: _a, closest: _b, ...described } = plan;
            return { described, written: (await written(plan)).lines };
          }),
        );
        expect(all[1]).toEqual(all[0]);
        // A document is only read as a table if it has answers or scores, and a single line is a document.
        for (const one of all.slice(2))
          if ([one, all[0]!].every(({ described }) => described.evaluations.length > 0))
            expect(one).toEqual(all[0]);
      },
    ),
    { numRuns: RUNS },
  );
});

test("a list gives the same lines wherever it is cut", async () => {
  const list = ' [{"a\\\\" : "x\\"]"} ,\n{"b":[[1],{}], "c":"\\\\\\\\"}\n]\n';
  const bytes = new TextEncoder().encode(list);
  for (let size = 1; size <= bytes.length; size++) {
    const cut = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    let lines = "";
    for await (const piece of listLines(cut())) lines += new TextDecoder().decode(piece);
    expect(lines).toBe('  {"a\\\\" : "x\\"]"} \n {"b":[[1],{}], "c":"\\\\\\\\"} \n ');
  }
  expect(new TextDecoder().decode(bytes)).toBe(list);
});

test.each([
  '[{"a":0},]',
  '[,{"a":0}]',
  '[{"a":0},,{"a":0}]',
  '[{"a":0}] []',
  '[{"a":0}',
  '[{"a":0}{"a":0}]',
  '[{"a":0}},{"a":0}]',
  '[{"a":0]]',
  '[{"a":"\n"}]',
  "[[]]",
])("the list %j is read as records, or refused", async (text) => {
  expect(await listOf(text)).toBeUndefined();
});

test("values equal the JSON that would be written, wherever the file is cut", async () => {
  for (const cut of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) {
    // Pieces of 256 KiB end near the second line.
    const long = "x".repeat(256 * 1024 - 15 - cut);
    const text = `{"a":"${long}"}\n{"b":"\\u00e9\\n\\/é","a":1.0}\n\n{"a":null,"c":-1.5E+3}`;
    expect(await linesOf(text)).toEqual([
      { a: `"${long}"` },
      { b: '"é\\n/é"', a: "1.0" },
      { a: "null", c: "-1.5E+3" },
    ]);
  }
});

test.each([
  ...[
    '{"a":01}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":-}',
    '{"a":1e}',
    '{"a":NaN}',
    '{"a":nul}',
    '{"a":[1}',
    '{"a":{"b":1]}',
    '{"usage":{"tokens":1,"tokens":2}}',
    '{"usage":{"tokens":1,"1":2}}',
  ],
  ...[
    '{"a":"\\x"}',
    '{"a":"\\u12g4"}',
    '{"a":"\t"}',
    '{"a":"b}',
    '{"a":1,"a":2}',
    '{"a":1,}',
    '{,"a":1}',
    '{"a" 1}',
  ],
  ...['{"a":1', '{"a":1} {"a":2}', "[]", "1", '{"1":1}', '{"__proto__":1}', "{"],
])("%s is read as a record, or refused", async (line) => {
  expect(await linesOf(`{"a":0}\n${line}`)).toBeUndefined();
});

test.each([
  FIXTURES.flatMap(({ files }) => files).find(({ path }) => path === "long.parquet")!,
  bytesFile("zstd.parquet", fromBase64(ZSTD_PARQUET)),
  ...[BROTLI_PARQUET, INDEX_PARQUET, INTERVAL_PARQUET, LZ4_PARQUET].map((file, i) =>
    bytesFile(`${i}.parquet`, fromBase64(file)),
  ),
])("the values of $path are the same either way", async (file) => {
  const records: Record<string, string>[] = [];
  for await (const one of parquetRecords(file))
    records.push(
      Object.fromEntries(Object.entries(one).map(([name, found]) => [name, JSON.stringify(found)])),
    );
  expect(await cellsOf((names, isChecked) => parquetRows(file, names, isChecked))).toEqual(records);
});

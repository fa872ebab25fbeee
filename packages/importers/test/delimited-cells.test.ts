// The splitter of strict RFC 4180 against the reader of rows, which agrees with papaparse: wherever a file is cut into pieces,
// the cells are the same; of what is not strict, the splitter gives nothing. And what a table becomes does not depend on
// which of the two reads it.

import { textFile } from "@assay/testing/text-file";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ImportFile, planImport } from "../src/index.ts";
import { FastPathError } from "../src/tables/cell-rows.ts";
import { delimitedCells } from "../src/tables/delimited-cells.ts";
import { delimitedRows } from "../src/tables/delimited-rows.ts";
import { cellText } from "../src/tables/encoded-column.ts";
import { written } from "./support.ts";

const RUNS = Number(process.env["ASSAY_RUNS"] ?? 300);

/** The rows of a strict table; undefined of another. */
async function strictCells(file: ImportFile): Promise<readonly (readonly string[])[] | undefined> {
  const rows: string[][] = [];
  try {
    for await (const { bytes, cells, count } of delimitedCells(file, false)) {
      for (let row = 0; row < count; row++) {
        rows.push(
          Array.from({ length: cells.columns }, (_, i) => {
            const cell = row * cells.columns + i;
            return cellText(bytes, cells.starts[cell]!, cells.ends[cell]!, cells.doubled[cell] === 1);
          }),
        );
      }
    }
    return rows;
  } catch (error) {
    if (error instanceof FastPathError) return undefined;
    throw error;
  }
}

async function rowsOf(file: ImportFile): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  for await (const some of (await delimitedRows(file)).rows) rows.push(...some.map(({ cells }) => cells));
  return rows;
}

// A small pool, so that quotes, delimiters and ends of lines meet.
const part = fc.constantFrom(
  "a",
  "é",
  "漢",
  "😀",
  '"',
  '""',
  '","',
  ",",
  ",",
  "\n",
  "\n",
  "\r\n",
  "\r",
  " ",
  "\\",
  "1",
);

test("what the splitter gives are the rows that the reader gives, wherever the file is cut", async () => {
  let strict = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { maxLength: 30 }),
      fc.constantFrom("", "\ufeff", "sep=,\n", "\ufeffsep=,\r\n"),
      fc.nat({ max: 3 }),
      async (parts, start, cut) => {
        // Pieces of 256 KiB end near these parts.
        const long = "x".repeat(256 * 1024 - 20 - cut);
        for (const text of [`${start}k,l\n${parts.join("")}`, `${start}k,l\n${long},1\n${parts.join("")}`]) {
          const found = await strictCells(textFile("t.csv", text));
          if (found === undefined) continue;
          strict++;
          expect(found).toEqual(await rowsOf(textFile("t.csv", text)));
        }
      },
    ),
    { numRuns: RUNS },
  );
  expect(strict).toBeGreaterThan(RUNS / 10);
});

const word = fc.constantFrom(
  ...[
    "",
    "a",
    'say "so"',
    "two\nlines",
    "two\r\nlines",
    "Größe 漢 😀",
    "n/a",
    "1",
    "0.5",
    "85%",
    "true",
    "\u007f\t\\",
  ],
  ...['{"a": 1.0}', "x".repeat(60)],
);
const record = fc.record({
  id: fc.constantFrom("q1", "q2", "q3"),
  question: word,
  model: fc.constantFrom("small", "large"),
  answer: word,
  correct: word,
  "2": word,
  latency_ms: fc.constantFrom("", "12", "3.5 ms"),
  error: fc.constantFrom("", "", "None", "timed out"),
});

test("a table is the same trials, whichever reader reads it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 12 }), async (records) => {
      const quoted = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`);
      const names = Object.keys(records[0]!);
      const rows = records.map((one) => quoted(Object.values(one)));
      const text = [quoted(names), ...rows].map((cells) => cells.join(",")).join("\n");
      // A space behind a quote is nothing to the reader of rows, and not strict.
      const spaced = [quoted(names), ...rows].map((cells) => cells.join(" ,")).join("\n");
      expect(await strictCells(textFile("t.csv", spaced))).toBeUndefined();
      const [strict, lenient] = await Promise.all(
        [text, spaced].map((one) => planImport([textFile("t.csv", one)])),
      );
      const { lines: _a, closest: _b, ...found } = strict!;
      const { lines: _c, closest: _d, ...expected } = lenient!;
      expect(found).toEqual(expected);
      expect((await written(strict!)).lines).toEqual((await written(lenient!)).lines);
    }),
    { numRuns: Math.ceil(RUNS / 5) },
  );
});

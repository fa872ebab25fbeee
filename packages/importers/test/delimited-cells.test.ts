// Compares the splitter with the row reader, which agrees with papaparse. Wherever a file is cut into pieces, the
// splitter returns the same cells, or declines. A table gives the same trials whichever of the two reads it, and
// whichever cells are quoted.

import { textFile } from "@assay/testing/text-file";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ImportFile, planImport } from "../src/index.ts";
import { FastPathError } from "../src/tables/cells/cell-rows.ts";
import { delimitedCells } from "../src/tables/cells/delimited-cells.ts";
import { delimitedRows } from "../src/tables/cells/delimited-rows.ts";
import { cellText } from "../src/tables/encoded-column.ts";
import { written } from "./support.ts";

const RUNS = Number(process.env["ASSAY_RUNS"] ?? 300);

/** The rows of a table that the splitter reads, or undefined if it declines. */
async function splitCells(file: ImportFile): Promise<readonly (readonly string[])[] | undefined> {
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

// A small pool, so that quotes, delimiters and line ends meet.
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

test("the splitter returns the same rows as the reader, wherever the file is cut", async () => {
  let split = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { maxLength: 30 }),
      fc.constantFrom("", "\ufeff", "sep=,\n", "\ufeffsep=,\r\n"),
      fc.nat({ max: 3 }),
      async (parts, start, cut) => {
        // Pieces of 256 KiB end near these parts.
        const long = "x".repeat(256 * 1024 - 20 - cut);
        for (const text of [`${start}k,l\n${parts.join("")}`, `${start}k,l\n${long},1\n${parts.join("")}`]) {
          const found = await splitCells(textFile("t.csv", text));
          if (found === undefined) continue;
          split++;
          expect(found).toEqual(await rowsOf(textFile("t.csv", text)));
        }
      },
    ),
    { numRuns: RUNS },
  );
  expect(split).toBeGreaterThan(RUNS / 5);
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

/** Quotes the cells that need it and those that `inQuotes` picks, optionally with a space after the quote. */
function cellsOf(cells: readonly string[], inQuotes: (place: number) => boolean, space = ""): string[] {
  // After a backslash at the end of a cell, an unquoted cell with a quote is refused.
  const isEscaped = cells.some((cell) => cell.endsWith("\\"));
  return cells.map((cell, place) => {
    const needsQuotes = /[,\n\r]|^"/.test(cell) || (isEscaped && cell.includes('"'));
    return needsQuotes || inQuotes(place) ? `"${cell.replaceAll('"', '""')}"${space}` : cell;
  });
}

test("a table gives the same trials, whichever reader reads it, and whichever cells are quoted", async () => {
  const notation = fc.func(fc.boolean());
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 12 }),
      fc.tuple(notation, fc.constantFrom("", " ")),
      async (records, [isQuoted, space]) => {
        const rows = [Object.keys(records[0]!), ...records.map((one) => Object.values(one))];
        const text = rows
          .map((cells, row) => cellsOf(cells, (place) => isQuoted(row, place), space).join(","))
          .join("\n");
        // The splitter declines tables with this delimiter.
        const piped = rows.map((cells) => cellsOf(cells, () => true).join("|")).join("\n");
        expect(await splitCells(textFile("t.csv", text))).toEqual(rows);
        expect(await splitCells(textFile("t.csv", piped))).toBeUndefined();
        const [split, other] = await Promise.all(
          [text, piped].map((one) => planImport([textFile("t.csv", one)])),
        );
        const { lines: _a, closest: _b, ...found } = split!;
        const { lines: _c, closest: _d, ...expected } = other!;
        expect(found).toEqual(expected);
        expect((await written(split!)).lines).toEqual((await written(other!)).lines);
      },
    ),
    { numRuns: Math.ceil(RUNS / 5) },
  );
});

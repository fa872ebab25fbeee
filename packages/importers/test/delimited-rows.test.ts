// Compares the reader of delimited tables with papaparse, which is lenient. They agree on well-formed tables, wherever
// the file is cut into pieces. A broken table is refused, or read like papaparse.

import { textFile } from "@assay/testing/text-file";
import fc from "fast-check";
import Papa from "papaparse";
import { expect, test } from "vitest";
import { Unreadable } from "../src/files/errors.ts";
import type { ImportFile } from "../src/index.ts";
import { delimitedRows } from "../src/tables/cells/delimited-rows.ts";

const RUNS = Number(process.env["ASSAY_RUNS"] ?? 300);

async function rowsOf(file: ImportFile): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  for await (const some of (await delimitedRows(file)).rows) rows.push(...some.map(({ cells }) => cells));
  return rows;
}

// A small pool, so that quotes, delimiters and line ends meet.
const cell = fc.array(fc.constantFrom("a", "é", '"', ",", ";", "\n", "\r\n", " ", "\\", "1", "漢"), {
  maxLength: 5,
});
const table = fc.record({
  rows: fc.array(
    fc.array(
      cell.map((parts) => parts.join("")),
      { minLength: 3, maxLength: 3 },
    ),
    { minLength: 1, maxLength: 8 },
  ),
  delimiter: fc.constantFrom(",", ";", "\t"),
  newlines: fc.array(fc.constantFrom("\n", "\r\n"), { minLength: 8, maxLength: 8 }),
  quoted: fc.boolean(),
});

/** A table by RFC 4180 in which each line may end differently. */
function written({
  rows,
  delimiter,
  newlines,
  quoted,
}: {
  rows: string[][];
  delimiter: string;
  newlines: string[];
  quoted: boolean;
}): string {
  const cellText = (text: string) =>
    quoted || /["\n\r\t,; \\]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const header = ["k", "l", "m"].join(delimiter);
  return [header, ...rows.map((row) => row.map(cellText).join(delimiter))]
    .map((line, i) => line + newlines[i % newlines.length]!)
    .join("");
}

const unix = (text: string) => text.replaceAll("\r\n", "\n");
const filled = (rows: readonly (readonly string[])[]) => rows.filter((row) => row.some((one) => one !== ""));

test("a table reads as written, with any line ends", async () => {
  await fc.assert(
    fc.asyncProperty(table, async (one) => {
      const rows = await rowsOf(textFile("t.csv", written(one)));
      expect(rows).toEqual(filled([["k", "l", "m"], ...one.rows]));
    }),
    { numRuns: RUNS },
  );
});

test("a table with uniform line ends reads like papaparse", async () => {
  await fc.assert(
    fc.asyncProperty(table, async (one) => {
      const text = written({ ...one, newlines: [one.newlines[0]!] });
      const { data } = Papa.parse<string[]>(text, {
        delimiter: one.delimiter,
        newline: one.newlines[0] as "\n",
      });
      expect(await rowsOf(textFile("t.csv", text))).toEqual(filled(data));
    }),
    { numRuns: RUNS },
  );
});

test("a table with one character more or less never has a silently shifted row", async () => {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    put: fc.constantFrom("", '"', "\\", ","),
  });
  await fc.assert(
    fc.asyncProperty(table, change, async (one, { at, put }) => {
      const text = written({ ...one, newlines: ["\n"], delimiter: "," });
      const place = Math.floor(at * (text.length - 1));
      const broken = text.slice(0, place) + put + text.slice(place + (put === "" ? 1 : 0));
      // A "\r\n" in a cell that lost its quotes ends a line. Papaparse accepts only one kind of line end.
      const { data, errors } = Papa.parse<string[]>(unix(broken), { delimiter: ",", newline: "\n" });
      try {
        const file = textFile("t.csv", broken);
        const rows = await rowsOf(file);
        // A quote before the first comma can turn the table into one line, split at semicolons: column names without a
        // row.
        if ((await delimitedRows(file)).delimiter !== ",") {
          expect(rows.length).toBeLessThan(2);
          return;
        }
        // Where papaparse reports malformed quotes, the file is refused.
        expect(errors.filter(({ type }) => type === "Quotes")).toEqual([]);
        expect(rows.map((cells) => cells.map(unix))).toEqual(filled(data));
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        expect(error.message).toMatch(/^line \d+: /);
      }
    }),
    { numRuns: RUNS },
  );
});

test("the delimiter is the one that splits all lines equally, even if the first line contains another", async () => {
  const file = textFile("t.csv", "id;question, as asked;n\n1;why?;2\n2;so, why;3\n");
  expect(await rowsOf(file)).toEqual([
    ["id", "question, as asked", "n"],
    ["1", "why?", "2"],
    ["2", "so, why", "3"],
  ]);
});

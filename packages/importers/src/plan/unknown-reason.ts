// Explains why a file has no known format, and what to do about it.

import type { ImportFile } from "../files/import-file.ts";
import { jsonHint } from "../json/json-text.ts";
import { beginsLikeHtml } from "../plain/html-table.ts";
import { hasPipedTable } from "../plain/piped-table.ts";
import { roleOf } from "../tables/columns/column-roles.ts";
import type { FileHead } from "../tables/file-head.ts";

const UNKNOWN = "unknown format; assay import --help lists the formats";

/** How files of other programs begin, in Latin-1, with what to do with them. */
const SIGNS: readonly (readonly [string, string])[] = [
  ["BZh", "compressed with bzip2; unpack it first: bunzip2 --keep FILE"],
  ["\xfd7zXZ", "compressed with xz; unpack it first: xz --decompress --keep FILE"],
  ["7z\xbc\xaf", "a 7-Zip archive; unpack it first"],
  ["Rar!", "a RAR archive; unpack it first"],
  ["\xd0\xcf\x11\xe0", "an old spreadsheet workbook; save its sheet as CSV in UTF-8"],
  ["ARROW1", "an Arrow (Feather) file; save it as Parquet or CSV"],
  ["\xff\xff\xff\xff", "an Arrow stream, such as datasets saves; write it with to_parquet or to_json"],
  ["ORC", "an ORC file; save it as Parquet or CSV"],
  ["Obj\x01", "an Avro file; save it as Parquet or CSV"],
  ["\x89HDF", "an HDF5 file; save its table as Parquet or CSV"],
  ["\x93NUMPY", "a NumPy array; save it as CSV, with column names"],
  ...["\x80\x02", "\x80\x03", "\x80\x04", "\x80\x05"].map(
    (sign) => [sign, "a Python pickle; save it as Parquet, CSV or JSON"] as const,
  ),
  ["%PDF", "a PDF document; export the results as CSV or JSON"],
];

const BEGINNING = 16;

/** Why a file has no known format. */
export async function unknownReason(file: ImportFile, { fileType, keys, text }: FileHead): Promise<string> {
  const begin = String.fromCharCode(...(await file.read(0, Math.min(BEGINNING, file.size))));
  const sign = SIGNS.find(([beginning]) => begin.startsWith(beginning));
  if (sign !== undefined) return sign[1];
  if (fileType === "zip" && keys.has("[Content_Types].xml"))
    return "a document of an office program; save its table as CSV in UTF-8";
  const start = text.trimStart();
  if (file.size === 0 || (start === "" && begin.trim() === "")) return "empty file";
  if (/^(?:\[\s*\]|\{\s*\})\s*$/.test(start)) return "JSON without records";
  if (beginsLikeHtml(start))
    return "a page in HTML without a table, or with several: export the results as CSV or JSON, or paste one table into a spreadsheet and save that";
  if (/^<[!?a-z]/i.test(start)) return "a document in XML; export the results as CSV or JSON";
  if (/^(?:TAP version \d+|1\.\.\d+|(?:not )?ok \d+ )/.test(start))
    return "results of tests in TAP: have the test runner write JUnit's XML, such as node --test --test-reporter=junit";
  if (hasPipedTable(text))
    return "a table in Markdown with other text: keep only the table, or save it as CSV";
  if (fileType === "json" && /^(?:\/[/*]|[[{]\s*\/[/*])/.test(start))
    return "not JSON: it has comments; remove them";
  if (/^\/[/*]/.test(start)) return "not JSON: it begins with a comment; remove it";
  const hint = fileType === "json" ? jsonHint(text) : "";
  if (hint !== "") return `not JSON${hint}`;
  if (/^\[\s*\[/.test(start))
    return `${UNKNOWN}; lists have no column names: write objects, in pandas orient="records"`;
  const found = [...new Set(Array.from(keys, (key) => key.split(".").at(-1)!))].filter((key) => key !== "*");
  const isResult = (name: string) => ["output", "score"].includes(roleOf(name)?.role ?? "");
  if ((fileType === "json" || fileType === "yaml") && found.length > 0 && !found.some(isResult))
    return `${UNKNOWN}; it has ${found.slice(0, 12).join(", ")}, and none is an answer or a score of a question`;
  const columns = start.split("\n", 1)[0]!.trim().split(/ {2,}/);
  if (/[│┃]/.test(text) || (columns.length > 1 && columns.some((name) => roleOf(name) !== undefined)))
    return "a table whose columns are set apart by spaces or lines, as programs print it: save it as CSV";
  const [only = ""] = keys;
  if (fileType === "unknown" && roleOf(only) !== undefined && !/\s/.test(only))
    return `a table of one column, ${only}: nothing identifies its rows; add a column with an id for each row, the same in all files`;
  return UNKNOWN;
}

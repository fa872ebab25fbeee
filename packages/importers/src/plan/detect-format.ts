// Sorts the files of an import by format, judging by their content.

import { checkMembers } from "@assay/base/internal";
import { type RefusedFiles, refusal, Unreadable } from "../files/errors.ts";
import type { ImportFile } from "../files/import-file.ts";
import { unpackedFiles } from "../files/unpacked-files.ts";
import type { Importer } from "../formats/importer.ts";
import { detectTable, table } from "../formats/table.ts";
import { IMPORT_OPTIONS, type ImportOptions } from "../options/import-options.ts";
import { plainFile } from "../plain/plain-file.ts";
import { type FileHead, fileHead } from "../tables/file-head.ts";
import { IMPORTERS } from "./importers.ts";
import { unknownReason } from "./unknown-reason.ts";

const PACKED_CALLS = "an archive of Weave calls; unpack it, and import its files";
const CALLS_IN_TABLE = "a table of Weave calls; export them as JSON lines";
/** Keys of files that only seem to be tables, with what to do about them. */
const OTHERS: readonly (readonly [string, string])[] = [
  [
    "score_headline_value",
    "a table of Inspect's logs with their totals; import the logs, or the table of their samples",
  ],
  ["nbformat", "a notebook; write its table as CSV or JSON lines"],
  ["tests.*.nodeid", "a report of pytest-json-report; write JUnit's XML instead: pytest --junitxml FILE"],
];
const DATABASE =
  "a SQLite database, which may lack its latest rows; export the results from the tool, with evalite run " +
  "--outputPath results.json, promptfoo export eval ID -o results.json, mlflow.search_traces() or TruLens' " +
  "get_records_and_feedback(); have DeepEval write files, with DEEPEVAL_LOCAL_STORE=json; or write any table with " +
  "sqlite3 -header -csv FILE 'SELECT * FROM TABLE' > table.csv";
/** The file types in which tables can be, from any tool. */
const TABULAR: ReadonlySet<string> = new Set(["table", "json-lines", "json", "yaml", "parquet"]);

/** Files by what to do with them. */
export interface SortedFiles {
  /** All files with a known format, in the order in which they were given. */
  readonly inOrder: readonly ImportFile[];
  readonly byFormat: ReadonlyMap<Importer, readonly ImportFile[]>;
  /** Files of calls, which are accepted unchanged. */
  readonly calls: readonly ImportFile[];
  readonly refused: RefusedFiles[];
  /** The paths of workbooks, by those of their sheets. */
  readonly sheets: ReadonlyMap<string, string>;
}

/** Throws a TypeError for an unknown option or format, and for a value that is not an `ImportFile`. */
export function checkImport(files: readonly ImportFile[], options: ImportOptions): void {
  checkMembers("options", options, IMPORT_OPTIONS);
  const { from } = options;
  const known = ["weave", ...IMPORTERS.map(({ name }) => name)];
  if (from !== undefined && !known.includes(from))
    throw new TypeError(`no format is called ${JSON.stringify(from)}; available: ${known.join(", ")}`);
  if (!Array.isArray(files)) throw new TypeError("the files to import must be a list");
  for (const [i, file] of files.entries())
    if (typeof file?.path !== "string" || typeof file.read !== "function")
      throw new TypeError(`file ${i} must be made with blobFile or bytesFile`);
}

/** Unpacks archives and sorts the files in them and the other files by format. */
export async function sortByFormat(
  files: readonly ImportFile[],
  options: ImportOptions,
): Promise<SortedFiles> {
  const byFormat = new Map<Importer, ImportFile[]>();
  const inOrder: ImportFile[] = [];
  const calls: ImportFile[] = [];
  const refused: RefusedFiles[] = [];
  const sheets = new Map<string, string>();
  const { from } = options;
  const named = from === "weave" ? from : IMPORTERS.find(({ name }) => name === from);
  const sort = async (found: ImportFile, isPacked: boolean): Promise<void> => {
    const file = await plainFile(found, await fileHead(found));
    const head = await fileHead(file);
    if (head.fileType === "sqlite") throw new Unreadable(DATABASE, "database");
    const format = named ?? (await detectFormat(file, head, options));
    const refuse = (reason: string, why: RefusedFiles["why"]) =>
      refused.push({ paths: [file.path], reason, why });
    if (format === "weave" && isPacked) refuse(PACKED_CALLS, "asked");
    else if (format === "weave") calls.push(file);
    else if ("reason" in format) refuse(format.reason, "unknown");
    else {
      inOrder.push(file);
      byFormat.set(format, [...(byFormat.get(format) ?? []), file]);
    }
  };
  for (const original of files) {
    try {
      for (const { file, workbook } of await unpackedFiles(original)) {
        if (workbook !== undefined) sheets.set(file.path, workbook);
        await sort(file, file !== original);
      }
    } catch (error) {
      refused.push(refusal([original], error));
    }
  }
  return { inOrder, byFormat, calls, refused, sheets };
}

/** The format of a file, or why it has none. */
async function detectFormat(
  file: ImportFile,
  head: FileHead,
  options: ImportOptions,
): Promise<Importer | "weave" | { readonly reason: string }> {
  const { fileType, keys } = head;
  if (keys.has("op_name") && keys.has("id"))
    return fileType === "table" || fileType === "parquet" ? { reason: CALLS_IN_TABLE } : "weave";
  const other = OTHERS.find(([key]) => keys.has(key));
  if (other !== undefined) return { reason: other[1] };
  const found = IMPORTERS.find(
    (one) => (fileType !== "parquet" || one.isTabular === true) && one.recognises(head),
  );
  if (found !== undefined) return found;
  // Naming columns implies a table.
  const { evaluation, rowKey, output, scores } = options;
  const namesColumns = [evaluation, rowKey, output, scores?.[0]].some((name) => name !== undefined);
  if (namesColumns && TABULAR.has(fileType)) return table;
  return (await detectTable(file, head)) ?? { reason: await unknownReason(file, head) };
}

// Tables as Parquet files, which notebooks read. DuckDB writes them; what is in them comes as CSV.

import { openDatabase } from "./database.ts";

/** A column of a Parquet file. */
export interface ParquetColumn {
  /** As it is called in the file. */
  readonly name: string;
  /** What its values are; null is not a value of any type. */
  readonly type: "text" | "number" | "boolean";
}

const TYPES: Readonly<Record<ParquetColumn["type"], string>> = {
  text: "VARCHAR",
  number: "DOUBLE",
  boolean: "BOOLEAN",
};
/** Megabytes that DuckDB may hold: rows of 8 KiB fit, of which it keeps 2,048 together at least. */
const MEMORY = 128;

/**
 * Writes `to` from the file `from`: CSV without a header, every value quoted, and null not there between its commas. The
 * lines are streamed: memory does not grow with their number. `longestLine` is the most bytes that one of them has.
 * Throws a fault when a file cannot be read or written, `exhausted` where rows are too long.
 */
export async function writeParquetFile(
  from: string,
  to: string,
  columns: readonly ParquetColumn[],
  longestLine: number,
): Promise<void> {
  const database = await openDatabase(":memory:", {
    readOnly: false,
    memory: `${MEMORY}MB`,
    threads: 1,
    files: [from, to],
  });
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
  // read_csv takes no two names of columns that differ only in case, so they get theirs afterwards.
  const types = columns.map(({ type }, i) => `c${i}: '${TYPES[type]}'`).join(", ");
  const names = columns.map(({ name }, i) => `c${i} AS ${quoted(name)}`).join(", ");
  const buffer = Math.max(2 ** 20, 2 * longestLine);
  const format = `header = false, auto_detect = false, delim = ',', quote = '"', escape = '"', new_line = '\\n'`;
  const nulls = "nullstr = '', allow_quoted_nulls = false";
  const sizes = `max_line_size = ${buffer}, buffer_size = ${buffer}, parallel = false`;
  try {
    await database.write((transaction) =>
      transaction.run(
        `COPY (SELECT ${names} FROM read_csv($1, columns = {${types}}, ${format}, ${nulls}, ${sizes}))
         TO $2 (USE_TMP_FILE false, FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2048)`,
        [from, to],
      ),
    );
  } finally {
    await database.close();
  }
}

// Writes tables as Parquet files, which notebooks can read. DuckDB converts them from CSV.

import { openDatabase } from "./database/database.ts";

/** A column of a Parquet file. */
export interface ParquetColumn {
  /** Its name in the file. */
  readonly name: string;
  /** The type of its values, which may also be null. */
  readonly type: "text" | "number" | "boolean";
}

const TYPES: Readonly<Record<ParquetColumn["type"], string>> = {
  text: "VARCHAR",
  number: "DOUBLE",
  boolean: "BOOLEAN",
};
/** Megabytes that DuckDB may use: rows of 8 KiB fit, since DuckDB keeps at least 2,048 rows in memory. */
const MEMORY = 128;

/**
 * Converts the file `from` to the Parquet file `to`. `from` is CSV without a header, with every value quoted and null
 * as nothing between commas. The lines are streamed: memory does not grow with their number. `longestLine` is the size
 * of the longest line in bytes. Throws a fault if a file cannot be read or written, `exhausted` if rows are too long.
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
  // read_csv rejects column names that differ only in case, so columns are renamed afterwards.
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

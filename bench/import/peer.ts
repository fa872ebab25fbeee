// Runs a peer of the import on a file, in a separate process. Prints its answer and its CPU time without startup as
// JSON.

import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import Papa from "papaparse";
import { unzipped } from "../../testing/src/import-fixtures.ts";

const PEERS: Readonly<Record<string, (...files: [string, ...string[]]) => unknown>> = {
  /** Parses a CSV into an object for each record. */
  papaparse: (file) =>
    Papa.parse(readFileSync(file, "utf8"), { header: true, skipEmptyLines: true }).data.length,
  /** Parses JSON: whole files, the lines of files, or the entries of an archive. */
  parse: (...files) => {
    let texts = 0;
    for (const text of files.flatMap(textsOf)) {
      if (text === "") continue;
      JSON.parse(text);
      texts++;
    }
    return texts;
  },
  /** Loads the file into an in-memory table, and compares the second model with the first. */
  duckdb: async (file) => {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const form = extname(file).slice(1).replace("jsonl", "json");
    await connection.run(`CREATE TABLE answers AS SELECT * FROM read_${form}('${file}')`);
    const found = await connection.runAndReadAll(
      ["correct::INT", "quality"]
        .map(
          (score) => `SELECT avg(a.${score}), avg(b.${score}), avg(b.${score} - a.${score}),
            stddev_samp(b.${score} - a.${score}) / sqrt(count(*)),
            count_if(b.${score} > a.${score})::DOUBLE, count_if(b.${score} < a.${score})::DOUBLE
           FROM answers a JOIN answers b USING (id) WHERE a.model = 'small' AND b.model = 'medium'`,
        )
        .join(" UNION ALL "),
    );
    return found.getRowsJS();
  },
};

function textsOf(file: string): readonly string[] {
  const bytes = readFileSync(file);
  if (file.endsWith(".eval")) return unzipped(bytes);
  return file.endsWith(".jsonl") ? bytes.toString().split("\n") : [bytes.toString()];
}

const [peer, ...files] = process.argv.slice(2) as [string, string, ...string[]];
const start = process.cpuUsage();
const answer = await PEERS[peer]!(...files);
const { user, system } = process.cpuUsage(start);
process.stdout.write(JSON.stringify({ answer, cpu: (user + system) / 1000 }));

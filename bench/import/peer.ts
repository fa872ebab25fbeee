// What a peer of an import makes of a file, in a process of its own: writes its answer, and what it took of the processor
// without its start, as JSON.

import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import Papa from "papaparse";

const PEERS: Readonly<Record<string, (file: string) => unknown>> = {
  /** The bare parse of a CSV into an object for each record. */
  papaparse: (file) =>
    Papa.parse(readFileSync(file, "utf8"), { header: true, skipEmptyLines: true }).data.length,
  /** The bare parse of JSON lines. */
  parse: (file) => {
    let records = 0;
    for (const line of readFileSync(file, "utf8").split("\n")) {
      if (line !== "") JSON.parse(line);
      records++;
    }
    return records - 1;
  },
  /** The file into a table in memory, and the verdict of the second model against the first. */
  duckdb: async (file) => {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const read = file.endsWith(".csv") ? `read_csv('${file}')` : `read_json('${file}')`;
    await connection.run(`CREATE TABLE answers AS SELECT * FROM ${read}`);
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

const [peer, file] = process.argv.slice(2) as [string, string];
const start = process.cpuUsage();
const answer = await PEERS[peer]!(file);
const { user, system } = process.cpuUsage(start);
process.stdout.write(JSON.stringify({ answer, cpu: (user + system) / 1000 }));

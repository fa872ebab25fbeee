// Loaded before the command by scripts/soak.mjs: at the signal USR2 it frees what is unused and writes what memory is then
// still held, so that a soak measures what grows. Never loaded by what ships.

import { renameSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { createRequire } from "node:module";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

const file = process.env.ASSAY_HELD;
const duckdb = createRequire(process.argv[1])("@duckdb/node-bindings");
const v8 = new Session();
v8.connect();
const post = promisify(v8.post.bind(v8));
let connection;

/** Collects garbage, and what finalizers then release: they run after a collection, and objects of DuckDB have them. */
async function collect() {
  for (let round = 0; round < 3; round++) {
    // Unlike `gc()`, it also gives free pages of the heap back.
    await post("HeapProfiler.collectGarbage");
    await wait(20);
  }
}

/**
 * Gives memory that malloc keeps back to the system: tens of MiB that come and go. Node.js has no function for
 * it, but DuckDB calls `malloc_trim` when the number of its threads changes.
 */
async function trim() {
  connection ??= await duckdb.connect(await duckdb.open(":memory:", duckdb.create_config()));
  for (const threads of [2, 1]) await duckdb.query(connection, `SET threads = ${threads}`);
}

process.on("SIGUSR2", async () => {
  await collect();
  await trim();
  writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()));
  renameSync(`${file}.new`, file);
});

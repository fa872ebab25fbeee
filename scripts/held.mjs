// scripts/soak.mjs preloads this into the command. On SIGUSR2 it frees unused memory and writes the remaining memory
// usage to a file, so that a soak test measures only growth. It is not part of any package.

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

/** Collects garbage several times, because finalizers, which DuckDB's objects have, run only after a collection. */
async function collect() {
  for (let round = 0; round < 3; round++) {
    // Unlike `gc()`, this also returns free heap pages to the system.
    await post("HeapProfiler.collectGarbage");
    await wait(20);
  }
}

/**
 * Returns memory that malloc retains, tens of MiB that vary, to the system. Node.js has no function for this, but
 * DuckDB calls `malloc_trim` when its number of threads changes.
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

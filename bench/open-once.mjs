// Opens a data directory in a new process, runs the queries in a file, and prints as JSON the time from opening to the
// first answer, and the resident memory after the last.
//
// node --expose-gc open-once.mjs DIRECTORY PROJECT BODIES.json

import { readFileSync } from "node:fs";
import { openStore } from "@assay/adapters-duckdb";
import { createEvalEngine } from "@assay/eval-engine";

const [directory, project, file] = process.argv.slice(2);
const bodies = JSON.parse(readFileSync(file, "utf8"));

const start = performance.now();
const store = await openStore({ directory });
const pause = () => new Promise((resume) => setImmediate(resume));
const engine = createEvalEngine({ calls: store.calls, rows: store.rows, segments: store.segments, pause });
const [first, ...others] = bodies;
const { total_rows } = await engine.query(project, first);
const opened = performance.now() - start;
for (const body of others) await engine.query(project, body);
// Garbage does not count.
globalThis.gc();
globalThis.gc();
console.log(JSON.stringify({ opened, total_rows, resident: process.memoryUsage.rss() }));
await store.close();

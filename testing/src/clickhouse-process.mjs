// The process of a ClickHouse server: started by clickhouse-server.mjs, with its folder and the arguments of clickhouse-local. It
// lives as long as its standard input is open, so that it never outlives who started it.

import { rmSync } from "node:fs";
// Of the libraries that call C functions, one that calls on the thread's own stack: ClickHouse measures how much of that
// is left, and refuses every query on one that is not the thread's (koffi's, for one).
import { DataType, load, open } from "ffi-rs";

const [library, folder, ...options] = /** @type {[string, string, ...string[]]} */ (process.argv.slice(2));
// The server answers while this statement runs: until the input ends.
const statements = `SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP;
  SELECT count() FROM file('-', LineAsString, 'line String')`;
const args = ["clickhouse", ...options, "--query", statements];
open({ library: "chdb", path: library });
load({
  library: "chdb",
  funcName: "query_stable_v2",
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
});
rmSync(folder, { recursive: true, force: true });

// The process of a ClickHouse server. clickhouse-server.mjs starts it with its folder and the arguments of
// clickhouse-local. It exits when its standard input closes, so that it never outlives its parent.

import { rmSync } from "node:fs";
// This FFI library calls C functions on the thread's own stack. ClickHouse checks how much of that stack is left, and
// refuses every query if the call runs on another stack, as with koffi.
import { DataType, load, open } from "ffi-rs";

const [library, folder, ...options] = /** @type {[string, string, ...string[]]} */ (process.argv.slice(2));
// The server runs as long as this statement, which ends with its input.
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

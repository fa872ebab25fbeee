// Preloaded into the command (`--import`) to make file operations fail on demand. While the file FAULT_AT exists, with
// contents such as `{"path":"…","on":"write","code":"ENOSPC"}`, every such operation on a matching path fails with that
// code; with `"half":true`, the first write first writes half of its data. If TOUCHED_AT is set, each write, sync,
// rename and truncation is logged there as a line such as `write PATH`. DuckDB writes its files in native code, which
// this does not affect.

import fs from "node:fs";
import { open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const { FAULT_AT: trigger, TOUCHED_AT: noted, DATA_AT: data } = process.env;
const { appendFileSync, existsSync, readFileSync, readlinkSync, writeFileSync } = fs;
let inside = false;

/** Logs an operation, and returns the fault to inject; undefined for none. */
function fault(on, path) {
  if (inside || typeof path !== "string" || !path.startsWith(data)) return undefined;
  inside = true;
  try {
    if (noted !== undefined) appendFileSync(noted, `${on} ${path.slice(data.length + 1)}\n`);
    if (!existsSync(trigger)) return undefined;
    const rule = JSON.parse(readFileSync(trigger, "utf8"));
    if (rule.on !== on || !new RegExp(rule.path).test(path.slice(data.length + 1))) return undefined;
    if (rule.half) writeFileSync(trigger, JSON.stringify({ ...rule, half: false }));
    return rule;
  } finally {
    inside = false;
  }
}

function failure({ code, on }, path) {
  return Object.assign(new Error(`${code}: the disk failed, ${on} '${path}'`), {
    code,
    syscall: on,
    errno: -5,
  });
}

const pathOf = (fd) => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
};

/**
 * The arguments of a write, changed to write half of the data at the same position: `given[at]` is a list of buffers, a
 * text or a buffer.
 */
function halved(name, given, at) {
  const [what, offset = 0, length = what.byteLength - offset, ...position] = given.slice(at);
  const before = given.slice(0, at);
  if (name.endsWith("File") || Array.isArray(what) || typeof what === "string")
    return [...before, what.slice(0, Math.floor(what.length / 2)), ...given.slice(at + 1)];
  return [...before, what, offset, Math.floor(length / 2), ...position];
}

/** Wraps a synchronous operation: `where` returns the path for its arguments. */
function sync(name, on, where) {
  const before = fs[name];
  fs[name] = function (...given) {
    const path = where(given);
    const rule = fault(on, path);
    if (rule === undefined) return before.apply(this, given);
    if (rule.half && on === "write") before.apply(this, halved(name, given, 1));
    throw failure(rule, path);
  };
}

/** Wraps an operation with a callback as its last argument. */
function later(name, on, where) {
  const before = fs[name];
  fs[name] = function (...given) {
    const path = where(given);
    const rule = fault(on, path);
    if (rule === undefined) return before.apply(this, given);
    given.at(-1)(failure(rule, path));
  };
}

/** Wraps an operation that returns a promise. */
function promised(holder, name, on, where) {
  const before = holder[name];
  holder[name] = async function (...given) {
    const path = where(given, this);
    const rule = fault(on, path);
    if (rule === undefined) return before.apply(this, given);
    if (rule.half && on === "write")
      await before.apply(this, halved(name, given, holder === fs.promises ? 1 : 0));
    throw failure(rule, path);
  };
}

const ofFd = ([fd]) => pathOf(fd);
const ofPath = ([path]) => (typeof path === "number" ? pathOf(path) : String(path));
const ofTarget = ([, path]) => String(path);
for (const name of ["writeSync", "writevSync"]) sync(name, "write", ofFd);
for (const name of ["writeFileSync", "appendFileSync"]) sync(name, "write", ofPath);
for (const name of ["fsyncSync", "fdatasyncSync"]) sync(name, "sync", ofFd);
sync("ftruncateSync", "truncate", ofFd);
sync("renameSync", "rename", ofTarget);
for (const name of ["write", "writev"]) later(name, "write", ofFd);
for (const name of ["fsync", "fdatasync"]) later(name, "sync", ofFd);
later("rename", "rename", ofTarget);
for (const name of ["writeFile", "appendFile"]) promised(fs.promises, name, "write", ofPath);
promised(fs.promises, "rename", "rename", ofTarget);
const handle = await open(process.execPath);
const fileHandle = Object.getPrototypeOf(handle);
await handle.close();
const ofHandle = (_, { fd }) => pathOf(fd);
for (const name of ["write", "writev", "writeFile", "appendFile"])
  promised(fileHandle, name, "write", ofHandle);
for (const name of ["sync", "datasync"]) promised(fileHandle, name, "sync", ofHandle);
promised(fileHandle, "truncate", "truncate", ofHandle);
syncBuiltinESMExports();

// Loaded before the command (`--import`): a disk that fails when it is told to. While there is a file at FAULT_AT, which
// holds `{"path":"…","on":"write","code":"ENOSPC"}`, every such call on a file whose path matches that expression fails
// with that code; `"half":true` lets half of the first write through before. With TOUCHED_AT, each write, sync, rename
// and cut of a file is noted there as a line, `write PATH`. DuckDB's own files are written by native code, which no
// module of Node.js sees.

import fs from "node:fs";
import { open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const { FAULT_AT: trigger, TOUCHED_AT: noted, DATA_AT: data } = process.env;
const { appendFileSync, existsSync, readFileSync, readlinkSync, writeFileSync } = fs;
let inside = false;

/** The fault that a call on a file has; undefined for none. Notes the call. */
function fault(on, path) {
  if (inside || typeof path !== "string" || !path.startsWith(data)) return undefined;
  inside = true;
  try {
    if (noted !== undefined) appendFileSync(noted, `${on} ${path.slice(data.length + 1)}\n`);
    if (!existsSync(trigger)) return undefined;
    const told = JSON.parse(readFileSync(trigger, "utf8"));
    if (told.on !== on || !new RegExp(told.path).test(path.slice(data.length + 1))) return undefined;
    if (told.half) writeFileSync(trigger, JSON.stringify({ ...told, half: false }));
    return told;
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

/** The arguments of a write, for half of it at the same place: `given[at]` is a list of buffers, a text or a buffer. */
function halved(name, given, at) {
  const [what, offset = 0, length = what.byteLength - offset, ...position] = given.slice(at);
  const before = given.slice(0, at);
  if (name.endsWith("File") || Array.isArray(what) || typeof what === "string")
    return [...before, what.slice(0, Math.floor(what.length / 2)), ...given.slice(at + 1)];
  return [...before, what, offset, Math.floor(length / 2), ...position];
}

/** Wraps a synchronous call: `where` gives the path of its arguments. */
function sync(name, on, where) {
  const before = fs[name];
  fs[name] = function (...given) {
    const path = where(given);
    const told = fault(on, path);
    if (told === undefined) return before.apply(this, given);
    if (told.half && on === "write") before.apply(this, halved(name, given, 1));
    throw failure(told, path);
  };
}

/** Wraps a call with a callback at its end. */
function later(name, on, where) {
  const before = fs[name];
  fs[name] = function (...given) {
    const path = where(given);
    const told = fault(on, path);
    if (told === undefined) return before.apply(this, given);
    given.at(-1)(failure(told, path));
  };
}

/** Wraps a call of a holder of promises. */
function promised(holder, name, on, where) {
  const before = holder[name];
  holder[name] = async function (...given) {
    const path = where(given, this);
    const told = fault(on, path);
    if (told === undefined) return before.apply(this, given);
    if (told.half && on === "write")
      await before.apply(this, halved(name, given, holder === fs.promises ? 1 : 0));
    throw failure(told, path);
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

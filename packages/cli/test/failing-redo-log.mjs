// Loaded before the command: a disk that fails once there is a file at FAIL_AT. The next sync of the redo log fails, and so
// does cutting off what was not synced, after which the log takes no changes until it is opened again.

import fs from "node:fs";
import { open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const trigger = process.env["FAIL_AT"];
const isFailing = (fd) =>
  fs.existsSync(trigger) && fs.readlinkSync(`/proc/self/fd/${fd}`).endsWith("redo.log");
const failure = (syscall) =>
  Object.assign(new Error(`EIO: i/o error, ${syscall}`), { code: "EIO", syscall, errno: -5 });

const handle = await open(process.execPath);
const fileHandle = Object.getPrototypeOf(handle);
await handle.close();
const { datasync } = fileHandle;
fileHandle.datasync = async function () {
  if (isFailing(this.fd)) throw failure("fdatasync");
  return datasync.call(this);
};
const { ftruncateSync } = fs;
fs.ftruncateSync = (fd, length) => {
  if (isFailing(fd)) {
    fs.rmSync(trigger);
    throw failure("ftruncate");
  }
  ftruncateSync(fd, length);
};
syncBuiltinESMExports();

// Preloaded into the command: simulates a disk that fails once the file FAIL_AT exists. The next sync of the redo log
// fails, and so does truncating the unsynced part. After that the log accepts no changes until it is reopened.

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

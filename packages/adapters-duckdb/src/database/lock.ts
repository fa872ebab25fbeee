// Finds out which process has the data directory open. The lock itself is DuckDB's (an operating system lock on the
// database file): it ends with its process, so it can never be stale. `assay.lock` next to it only tells others which
// process to contact.

import { readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Fault } from "@assay/base";
import { writeFault } from "../files/file-io.ts";
import { PRIVATE_FILE } from "../files/private-files.ts";

/** The process that has a data directory open for writing. */
export interface LockHolder {
  /** Its process id. */
  readonly pid: number;
  /** Its address, if it serves: other commands can go through it. */
  readonly address?: string;
  /**
   * A secret that the server at that address can prove to know. Until it does, the address may belong to another
   * process.
   */
  readonly secret?: string;
}

/** The lock note of an open store. */
export interface LockNote {
  /** Tells other processes where this one serves, and the secret that it can prove to know. */
  announce(address: string, secret?: string): void;
  release(): void;
}

// An operating system lock does not stop a process from opening its own files again.
const openHere = new Set<string>();

const notePath = (directory: string): string => join(directory, "assay.lock");

/** The process that has the directory open for writing; undefined if no living process does. */
export function lockHolder(directory: string): LockHolder | undefined {
  let note: unknown;
  try {
    note = JSON.parse(readFileSync(notePath(directory), "utf8"));
  } catch {
    return undefined;
  }
  const { pid, address, secret } = (note ?? {}) as { [name in keyof LockHolder]?: unknown };
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  return {
    pid,
    ...(typeof address === "string" && { address }),
    ...(typeof secret === "string" && { secret }),
  };
}

/** Prevents this process from opening the directory twice. Throws a `conflict` fault if it already has it open. */
export function claimInProcess(directory: string): () => void {
  const path = realpathSync(directory);
  if (openHere.has(path)) throw new Fault("conflict", "this process has the data directory open already");
  openHere.add(path);
  return () => openHere.delete(path);
}

/**
 * Claims a file that no process can have locked, because it has to be replaced. Throws a `conflict` fault if another
 * living process has claimed it.
 */
export function claimFile(path: string): () => void {
  const [directory, prefix] = [dirname(path), `${basename(path)}.claim-`];
  const remove = (pid: number): void => rmSync(join(directory, `${prefix}${pid}`), { force: true });
  const release = (): void => remove(process.pid);
  writeFileSync(join(directory, `${prefix}${process.pid}`), startOf(process.pid) ?? "", {
    mode: PRIVATE_FILE,
  });
  // Of two processes, the one that looks later sees the claim of the other.
  const claims = readdirSync(directory).filter((name) => name.startsWith(prefix));
  for (const name of claims) {
    const pid = Number(name.slice(prefix.length));
    if (pid === process.pid) continue;
    if (isAlive(pid, startIn(join(directory, name)))) {
      release();
      throw lockedFault(directory, undefined);
    }
    remove(pid);
  }
  return release;
}

// Milliseconds until a note that could not be written is tried again, such as when the disk was full.
const RETRY = 1000;

/**
 * Writes the note. Call it only while holding the database's lock: any existing note is then stale. If it cannot be
 * written, `tell` is called, and it is tried again until it is: the lock holds meanwhile, but others cannot see who holds
 * it.
 */
export function writeNote(directory: string, tell: (message: string) => void): LockNote {
  const path = notePath(directory);
  let holder: LockHolder = { pid: process.pid };
  let hasFailed = false;
  let retry: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(retry);
    try {
      replaceNote(path, holder);
    } catch (error) {
      const { message } = writeFault(error, path);
      if (!hasFailed)
        tell(
          `${message} (${(error as Error).message}): other commands cannot find who has the directory open until it is written`,
        );
      hasFailed = true;
      retry = setTimeout(write, RETRY).unref();
    }
  };
  write();
  return {
    announce(address, secret) {
      holder = { pid: process.pid, address, ...(secret !== undefined && { secret }) };
      write();
    },
    release() {
      clearTimeout(retry);
      try {
        rmSync(path, { force: true });
      } catch {
        // A remaining note is recognised as stale, and the work on the directory is complete.
      }
    },
  };
}

/** Writes it by a rename, so that no one reads half a note. An old file in its place may be readable by others. */
function replaceNote(path: string, holder: LockHolder): void {
  const whole = `${path}.new`;
  try {
    rmSync(whole, { force: true });
    writeFileSync(whole, `${JSON.stringify(holder)}\n`, { mode: PRIVATE_FILE });
    renameSync(whole, path);
  } catch (error) {
    rmSync(whole, { force: true });
    throw error;
  }
}

/** The fault for a directory that another process has open, naming the process. */
export function lockedFault(directory: string, cause: unknown): Fault {
  const holder = lockHolder(directory);
  const who = holder === undefined ? "another process" : `process ${holder.pid}`;
  const where = holder?.address === undefined ? "" : `, which serves it at ${holder.address}`;
  const message = `the data directory is open in ${who}${where}; stop it first, or use another directory`;
  return new Fault("conflict", message, { cause });
}

/**
 * Whether a process with this id exists and, if `start` is known, is the one that started then: after a crash, another
 * process may have got its id.
 */
export function isAlive(pid: number, start?: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EPERM") return false;
  }
  return start === undefined || start === (startOf(pid) ?? start);
}

/** When a process started: on Linux, no other with its id has the same start. Undefined if it is not known. */
export function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The start is the 22nd field. The second is a name in parentheses, which may contain anything.
    const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[22 - 3];
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${start}`;
  } catch {
    return undefined;
  }
}

function startIn(claim: string): string | undefined {
  try {
    return readFileSync(claim, "utf8") || undefined;
  } catch {
    return undefined;
  }
}

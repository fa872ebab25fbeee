// Who has the data directory open. The lock itself is DuckDB's (the operating system's, on the database file): it
// ends with its process, so there is never a stale one to judge. `assay.lock` beside it only tells others whom to ask.

import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "@assay/base";
import { writeFault } from "./journal.ts";
import { PRIVATE_FILE } from "./private-files.ts";

/** The process that has a data directory open for writing. */
export interface LockHolder {
  /** Its process id. */
  readonly pid: number;
  /** Where it serves, when it does: other commands can go through it. */
  readonly address?: string;
  /** What the server at that address can prove that it knows: until it has, the address may be someone else's by now. */
  readonly secret?: string;
}

/** The note of one open store. */
export interface LockNote {
  /** Tells others where this process serves, and what it can prove that it knows. */
  announce(address: string, secret?: string): void;
  release(): void;
}

// An operating system's lock does not keep a process out of its own files.
const openHere = new Set<string>();

const notePath = (directory: string): string => join(directory, "assay.lock");

/** Who has the directory open for writing; undefined when no living process does. */
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

/** Keeps this process from opening the directory twice. Throws a `conflict` fault when it has it open already. */
export function claimHere(directory: string): () => void {
  const path = realpathSync(directory);
  if (openHere.has(path)) throw new Fault("conflict", "this process has the data directory open already");
  openHere.add(path);
  return () => openHere.delete(path);
}

/**
 * Writes the note. Call it only while holding the database's lock: any note left then has no owner. Where it cannot be
 * written, `tell` is told: the lock holds, and others learn only that it does.
 */
export function writeNote(directory: string, tell: (message: string) => void): LockNote {
  const path = notePath(directory);
  const write = (holder: LockHolder): void => {
    // By rename, so that no one reads half a note. What is left there of another time may be open to others.
    try {
      rmSync(`${path}.new`, { force: true });
      writeFileSync(`${path}.new`, `${JSON.stringify(holder)}\n`, { mode: PRIVATE_FILE });
      renameSync(`${path}.new`, path);
    } catch (error) {
      const { message } = writeFault(error, path);
      tell(`${message} (${(error as Error).message}): other commands cannot find who has the directory open`);
    }
  };
  write({ pid: process.pid });
  return {
    announce: (address, secret) =>
      write({ pid: process.pid, address, ...(secret !== undefined && { secret }) }),
    release: () => rmSync(path, { force: true }),
  };
}

/** The fault for a directory that someone else has open, naming who. */
export function heldFault(directory: string, cause: unknown): Fault {
  const holder = lockHolder(directory);
  const who = holder === undefined ? "another process" : `process ${holder.pid}`;
  const where = holder?.address === undefined ? "" : `, which serves it at ${holder.address}`;
  return new Fault("conflict", `the data directory is open in ${who}${where}`, { cause });
}

/** Whether there is a process of this number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === "EPERM";
  }
}

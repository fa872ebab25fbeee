// Files of a data directory that take the place of others together: written beside them first, then marked as ready.
// From the mark on, the next to open the directory continues where a process stopped; before it, what was written is
// removed.

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Fault } from "@assay/base";
import { syncDirectory } from "../journal.ts";
import { isAlive } from "../lock.ts";
import { PRIVATE_FILE } from "../private-files.ts";
import { RECORD_FILES } from "../record-files.ts";
import { ARTIFACTS_FOLDER, artifactFile } from "../training/artifacts.ts";

const NEW = ".compacted";
/** The mark names the process that puts the files in place: while it lives, no other does. */
const MARK = /^compaction-(\d+)\.ready$/;
/** What is made again from the files in place, or was kept of those that they replace. */
const OLD = /^(?:assay\.duckdb.*|segments|redo\.log\.(?:torn|new)|.*\.set-aside-\d+)$/;
const FILES: readonly string[] = [...RECORD_FILES.map(({ name }) => name), "redo.log"];

/** Where the file is written that is to take the place of `name`. */
export function newFile(directory: string, name: string): string {
  return join(directory, `${name}${NEW}`);
}

/** How new files are marked as whole. */
export interface ReadyMark {
  /** Names of the files of artifacts that go with the old files. Default none. */
  readonly unused?: readonly string[];
  /** The process that puts the files in place. Default: this one. */
  readonly pid?: number;
}

/** Marks the new files as whole: they are on the disk, and take the places of the old ones from now on. */
export function markReady(directory: string, { unused = [], pid = process.pid }: ReadyMark = {}): void {
  const fd = openSync(join(directory, `compaction-${pid}.ready`), "w", PRIVATE_FILE);
  writeFileSync(fd, unused.join("\n"));
  fsyncSync(fd);
  closeSync(fd);
  syncDirectory(directory);
}

/**
 * Puts new files that are ready in place, and removes the database, which is made again from its log, and all copies.
 * Does nothing when none are ready. The database must be closed. Throws a `conflict` fault while another process does it.
 */
export function putInPlace(directory: string, readOnly: boolean): void {
  const mark = marksIn(directory)[0];
  if (mark === undefined) return;
  if (readOnly)
    throw new Fault("conflict", `a deletion in ${directory} was not finished: open it for writing once`);
  const own = claim(directory, mark);
  for (const name of FILES) {
    if (existsSync(newFile(directory, name))) renameSync(newFile(directory, name), join(directory, name));
  }
  for (const name of readdirSync(directory)) {
    if (OLD.test(name)) rmSync(join(directory, name), { recursive: true, force: true });
  }
  for (const name of readFileSync(own, "utf8").split("\n"))
    if (name !== "") rmSync(artifactFile(join(directory, ARTIFACTS_FOLDER), name), { force: true });
  syncDirectory(directory);
  rmSync(own);
  syncDirectory(directory);
}

/** Removes new files that a process left before they were ready. Only for who holds the directory. */
export function removeUnfinished(directory: string): void {
  for (const name of FILES)
    for (const end of ["", ".new"]) rmSync(`${newFile(directory, name)}${end}`, { force: true });
}

function marksIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory).filter((name) => MARK.test(name)) : [];
}

/** Takes over the mark of a process that has ended. Of several that try, one can rename it. */
function claim(directory: string, mark: string): string {
  const pid = Number(MARK.exec(mark)![1]);
  const own = join(directory, `compaction-${process.pid}.ready`);
  if (pid === process.pid) return own;
  const busy = (cause?: unknown) =>
    new Fault("conflict", `process ${pid} is finishing a deletion in ${directory}`, { cause });
  if (isAlive(pid)) throw busy();
  try {
    renameSync(join(directory, mark), own);
  } catch (error) {
    throw busy(error);
  }
  return own;
}

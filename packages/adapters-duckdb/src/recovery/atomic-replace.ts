// Replaces several files of a data directory together: the new ones are written next to the old ones, then marked as
// ready. If the process dies after the mark, opening the directory completes the replacement; before it, the new files
// are removed.

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Fault } from "@assay/base";
import { isAlive, startOf } from "../database/lock.ts";
import { syncDirectory, writeFault } from "../files/file-io.ts";
import { PRIVATE_FILE } from "../files/private-files.ts";
import { RECORD_FILES } from "../records/record-files.ts";
import { ARTIFACTS_FOLDER, artifactFile } from "../training/artifacts.ts";

const NEW = ".compacted";
/** The mark names the process that replaces the files: while it is alive, no other process does. */
const MARK = /^compaction-(\d+)\.ready$/;
/** Begins the line of a mark with the process that wrote it and its start, among names of artifact files. */
const OWNER = "process ";
/** A mark while it is written: a part of it must not count, as it would name too few artifact files. */
const PARTIAL_MARK = "compaction.new";
/** Files that are rebuilt from the new files, or kept copies of the replaced ones. */
const OLD = /^(?:assay\.duckdb.*|segments|redo\.log\.(?:torn|new)|.*\.set-aside-\d+)$/;
const FILES: readonly string[] = [...RECORD_FILES.map(({ name }) => name), "redo.log"];
/** Files that a process left before they were complete. */
const UNFINISHED: readonly string[] = [
  PARTIAL_MARK,
  "redo.log.new",
  ...FILES.flatMap((name) => [`${name}${NEW}`, `${name}${NEW}.new`]),
];

/** The path of the new file for `name`. */
export function newFile(directory: string, name: string): string {
  return join(directory, `${name}${NEW}`);
}

/** Options for marking new files as complete. */
export interface ReadyMark {
  /** Names of artifact files to remove with the old files. Default none. */
  readonly unused?: readonly string[];
  /** The process that replaces the files. Default: this one. */
  readonly pid?: number;
}

/** Marks the new files as complete: they are on the disk, and from now on replace the old ones. */
export function markReady(directory: string, { unused = [], pid = process.pid }: ReadyMark = {}): void {
  const partial = join(directory, PARTIAL_MARK);
  try {
    writeSynced(partial, [...unused, `${OWNER}${pid} ${startOf(pid) ?? ""}`].join("\n"));
  } catch (error) {
    throw writeFault(error, PARTIAL_MARK, partial);
  }
  renameSync(partial, join(directory, `compaction-${pid}.ready`));
  syncDirectory(directory);
}

function writeSynced(path: string, text: string): void {
  const fd = openSync(path, "w", PRIVATE_FILE);
  try {
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Replaces files whose new versions are ready, and removes all copies and the database, which is rebuilt from its log.
 * Does nothing if none are ready. The database must be closed. Throws a `conflict` fault while another process does
 * this.
 */
export function finishReplacement(directory: string, readOnly: boolean): void {
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
    if (name !== "" && !name.startsWith(OWNER))
      rmSync(artifactFile(join(directory, ARTIFACTS_FOLDER), name), { force: true });
  syncDirectory(directory);
  rmSync(own);
  syncDirectory(directory);
}

/** Removes files that a process left before they were complete. Only for the process that holds the directory. */
export function removeUnfinished(directory: string): void {
  for (const name of UNFINISHED) {
    const path = join(directory, name);
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path);
  }
}

function marksIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory).filter((name) => MARK.test(name)) : [];
}

/** Takes over the mark of a process that has ended. If several try, only one can rename it. */
function claim(directory: string, mark: string): string {
  const pid = Number(MARK.exec(mark)![1]);
  const own = join(directory, `compaction-${process.pid}.ready`);
  if (pid === process.pid) return own;
  const busy = (cause?: unknown) =>
    new Fault("conflict", `process ${pid} is finishing a deletion in ${directory}`, { cause });
  if (isAlive(pid, startOfOwner(join(directory, mark), pid))) throw busy();
  try {
    renameSync(join(directory, mark), own);
  } catch (error) {
    throw busy(error);
  }
  return own;
}

/**
 * When the process of a mark started; undefined if the mark does not contain it, or another process has taken it over.
 */
function startOfOwner(mark: string, pid: number): string | undefined {
  const prefix = `${OWNER}${pid} `;
  try {
    const lines = readFileSync(mark, "utf8").split("\n");
    return lines.find((line) => line.startsWith(prefix))?.slice(prefix.length) || undefined;
  } catch {
    return undefined;
  }
}

// Writes and removes runs, their lines and their files, within a transaction.

import type { Run, RunChange } from "@assay/tracking-core";
import type { RunFile, WrittenLines } from "@assay/tracking-core/internal";
import type { Transaction } from "../database/database.ts";
import { writeVersioned } from "./write-versioned.ts";

/** Writes a change if it fits, and resolves to whether it did. Otherwise the transaction is unchanged. */
export async function writeRun(
  transaction: Transaction,
  { run, startsOver = false, lines = [], files = [], removedFiles = [], uses }: RunChange,
): Promise<boolean> {
  if (!(await writeVersioned(transaction, "tracking_runs", run, run.createdAt))) return false;
  if (startsOver) await transaction.run("DELETE FROM tracking_lines WHERE run = ?", [run.id]);
  for (const written of lines) await writeLines(transaction, run.id, written);
  for (const file of files) await writeFile(transaction, run.id, file);
  for (const name of removedFiles)
    await transaction.run("DELETE FROM tracking_files WHERE run = ? AND name = ?", [run.id, name]);
  if (uses !== undefined) {
    await transaction.run("DELETE FROM tracking_uses WHERE run = ? AND artifact = ?", [run.id, uses]);
    await transaction.run("INSERT INTO tracking_uses VALUES (?, ?)", [run.id, uses]);
  }
  return true;
}

async function writeLines(
  transaction: Transaction,
  runId: string,
  { stream, lines, cutsOff }: WrittenLines,
): Promise<void> {
  const [first, end] = [lines[0]!.line, cutsOff ? Number.MAX_SAFE_INTEGER : lines.at(-1)!.line + 1];
  const [there] = await transaction.columns(
    "SELECT 1 FROM tracking_lines WHERE run = ? AND stream = ? AND line >= ? AND line < ? LIMIT 1",
    [runId, stream, first, end],
  );
  if (there!.length > 0) {
    await transaction.run(
      "DELETE FROM tracking_lines WHERE run = ? AND stream = ? AND line >= ? AND line < ?",
      [runId, stream, first, end],
    );
  }
  await transaction.append("tracking_lines", [
    { type: "VARCHAR", values: lines.map(() => runId) },
    { type: "VARCHAR", values: lines.map(() => stream) },
    { type: "DOUBLE", values: lines.map(({ line }) => line) },
    { type: "DOUBLE", values: lines.map(({ step }) => step) },
    // As JSON, because a column cannot hold half of a surrogate pair.
    { type: "VARCHAR", values: lines.map(({ text }) => JSON.stringify(text)) },
  ]);
}

async function writeFile(transaction: Transaction, runId: string, file: RunFile): Promise<void> {
  await transaction.run("DELETE FROM tracking_files WHERE run = ? AND name = ?", [runId, file.name]);
  await transaction.run("INSERT INTO tracking_files VALUES (?, ?, ?, ?)", [
    runId,
    file.name,
    file.sha256,
    JSON.stringify(file),
  ]);
}

/** Removes a run with its lines and files if its version is unchanged; resolves to whether it was. */
export async function removeRun(
  transaction: Transaction,
  { id, version }: Pick<Run, "id" | "version">,
): Promise<boolean> {
  const [found] = await transaction.columns("SELECT 1 FROM tracking_runs WHERE id = ? AND version = ?", [
    id,
    version,
  ]);
  if (found!.length === 0) return false;
  await transaction.run("DELETE FROM tracking_runs WHERE id = ?", [id]);
  for (const table of ["tracking_lines", "tracking_files", "tracking_uses"] as const)
    await transaction.run(`DELETE FROM ${table} WHERE run = ?`, [id]);
  return true;
}

// assay restore: restores a data directory from a backup.

import { restoreBackup } from "@assay/adapters-duckdb";
import { type CliContext, log, printInfo } from "../../terminal/cli-context.ts";
import { EXIT } from "../../terminal/failure.ts";
import { backupSize } from "./backup-size.ts";

/** Restores, and prints what was damaged before the backup was made. Returns the exit code. */
export async function restoreCommand(
  context: CliContext,
  backup: string,
  directory: string,
): Promise<number> {
  const report = await restoreBackup(backup, directory, context.signal);
  for (const message of report.lost) log(context, `assay: ${message}`);
  await printInfo(context, `restored ${directory}: ${backupSize(report)}, as of ${report.takenAt}`);
  return report.lost.length === 0 ? EXIT.ok : EXIT.failed;
}

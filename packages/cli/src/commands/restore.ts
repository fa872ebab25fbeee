// assay restore: restores a data directory from a backup.

import { restoreBackup } from "@assay/adapters-duckdb";
import { backupSize } from "../backup-size.ts";
import { EXIT } from "../failure.ts";
import { say, tell, type World } from "../world.ts";

/** Restores, and prints what was damaged before the backup was made. Returns the exit code. */
export async function restoreCommand(world: World, backup: string, directory: string): Promise<number> {
  const report = await restoreBackup(backup, directory, world.signal);
  for (const message of report.lost) say(world, `assay: ${message}`);
  await tell(world, `restored ${directory}: ${backupSize(report)}, as of ${report.takenAt}`);
  return report.lost.length === 0 ? EXIT.ok : EXIT.failed;
}

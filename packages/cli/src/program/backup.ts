// The commands that copy a data directory and put it back: backup and restore.

import type { ServerOptions } from "../clients/server-address.ts";
import type { ProgramParts } from "../options/common-options.ts";

/** Adds its commands to the command line. */
export function addBackupCommands({ assay, context, common, ended }: ProgramParts): void {
  assay
    .command("backup")
    .description("back up a data directory, also while a server uses it")
    .argument("<destination>", "directory to create; an existing one must be empty")
    .addOption(common.data())
    .option("--server <url>", "server to ask (default: the one that has the data directory open)")
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
If a server has the directory open, the command asks that server (with a key that has access to
everything, if it uses keys). Otherwise it opens the directory itself. The backup has everything
acknowledged before the command started. It gets its name only once it is complete and on the
disk, and backup.json lists its files with lengths and digests. Columns and the database are
left out: they are rebuilt from it. Evaluations in ClickHouse are backed up there.

Examples:
  assay backup backups/2026-11-23
  assay backup /mnt/backups/monday --server https://assay.example`,
    )
    .action(async (destination: string, options: ServerOptions) => {
      const { backupCommand } = await import("../commands/storage/backup.ts");
      ended(await backupCommand(context, { ...options, destination }));
    });

  assay
    .command("restore")
    .description("restore a backup after verifying every file")
    .argument("<backup>", "a directory that assay backup wrote")
    .addOption(common.data())
    .addHelpText(
      "after",
      `
The data directory must not exist, or be empty. If a file is damaged, truncated or missing, the
command names it and restores nothing. Records that were damaged before the backup are named
too, as by assay doctor: everything else is restored, and the exit code is 1.

Example:
  assay restore backups/2026-11-23 --data .assay`,
    )
    .action(async (backup: string, { data }: Pick<ServerOptions, "data">) => {
      const { restoreCommand } = await import("../commands/storage/restore.ts");
      ended(await restoreCommand(context, backup, data));
    });
}

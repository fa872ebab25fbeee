// The commands that copy a data directory and put it back: backup and restore.

import type { Command } from "commander";
import type { World } from "../world.ts";
import { type CommonOptions, type Ended, EXIT_CODES, type ServerFlags } from "./options.ts";

/** Adds them to the command line. */
export function addBackupCommands(assay: Command, world: World, common: CommonOptions, ended: Ended): void {
  assay
    .command("backup")
    .description("copy everything in a data directory as it is at one moment, while a server goes on with it")
    .argument("<destination>", "the directory to make; one that is there must be empty")
    .addOption(common.data())
    .option("--server <url>", "the server to ask (default: the one that has the data directory open)")
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
A server that has the directory open is asked for it, with a key for everything where it has keys; else the command opens
the directory itself. What was acknowledged before the command began is in the backup. It takes its name once it is whole
and on the disk, and lists its files with lengths and digests in backup.json. Columns and the database are not in it: they
are made again. Evaluations that are in ClickHouse are backed up there.

Examples:
  assay backup backups/2026-11-23
  assay backup /mnt/backups/monday --server https://assay.example
${EXIT_CODES}`,
    )
    .action(async (destination: string, { data, server, apiKey }: ServerFlags) => {
      const { backupCommand } = await import("../commands/backup.ts");
      ended(await backupCommand(world, { destination, data, server, apiKey }));
    });

  assay
    .command("restore")
    .description("make a data directory of a backup, once every file of it is as it was")
    .argument("<backup>", "what assay backup has made")
    .addOption(common.data())
    .addHelpText(
      "after",
      `
The data directory must not be there, or be empty. A file that is damaged, cut or missing is named, and nothing is
restored. What was damaged before the backup was made is named too, as by assay doctor: the exit code is then 1, and the
rest is there.

Example:
  assay restore backups/2026-11-23 --data .assay
${EXIT_CODES}`,
    )
    .action(async (backup: string, { data }: Pick<ServerFlags, "data">) => {
      const { restoreCommand } = await import("../commands/restore.ts");
      ended(await restoreCommand(world, backup, data));
    });
}

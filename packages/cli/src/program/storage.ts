// The commands that maintain what is stored: doctor, backup, restore and clickhouse.

import type { ServerOptions } from "../clients/server-address.ts";
import type { ProgramParts } from "../options/common-options.ts";

/** Adds its commands to the command line. */
export function addStorageCommands(parts: ProgramParts): void {
  addDoctorCommand(parts);
  addBackupCommand(parts);
  addRestoreCommand(parts);
  addClickHouseCommands(parts);
}

function addDoctorCommand({ assay, context, common, ended }: ProgramParts): void {
  assay
    .command("doctor")
    .description("check every file of a data directory, and repair what can be repaired")
    .addOption(common.data())
    .addHelpText(
      "after",
      `
Stop the server first: the directory must not be open. A missing or damaged database is rebuilt
from the redo log, a damaged redo log is rewritten from the database, and records whose text is
lost are removed from the index. Replaced files are kept next to the new ones. The command names
what it cannot repair and exits with 1.

Example:
  assay doctor --data .assay`,
    )
    .action(async ({ data }: Pick<ServerOptions, "data">) => {
      const { doctorCommand } = await import("../commands/storage/doctor.ts");
      ended(await doctorCommand(context, data));
    });
}

function addBackupCommand({ assay, context, common, ended }: ProgramParts): void {
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
}

function addRestoreCommand({ assay, context, common, ended }: ProgramParts): void {
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

/** Adds `clickhouse migrate` and `clickhouse explain`. */
function addClickHouseCommands({ assay, context, common, ended }: ProgramParts): void {
  const clickhouse = assay.command("clickhouse").description("manage evaluations stored in ClickHouse");

  clickhouse
    .command("migrate")
    .description("create the database and its tables, or bring them up to date; safe to repeat")
    .addOption(common.store())
    .option(
      "--cluster <name>",
      "distribute the tables over this cluster from the server's configuration, replicated if its shards have replicas",
    )
    .addHelpText(
      "after",
      `\nExamples:\n  assay clickhouse migrate --store clickhouse://default@localhost:8123/assay\n  assay clickhouse migrate --cluster analytics`,
    )
    .action(async ({ store, cluster }: { readonly store?: string; readonly cluster?: string }) => {
      const { migrateCommand } = await import("../commands/storage/clickhouse.ts");
      ended(await migrateCommand(context, store, cluster));
    });

  clickhouse
    .command("explain")
    .description("show where a query would run, in this process or in the database, and why")
    .argument("<entity/project>", "the project")
    .argument("<body>", "file with the JSON body of the query, or - for standard input")
    .addOption(common.store())
    .action(async (project: string, body: string, { store }: { readonly store?: string }) => {
      const { explainCommand } = await import("../commands/storage/clickhouse.ts");
      ended(await explainCommand(context, { project, body, store }));
    });
}

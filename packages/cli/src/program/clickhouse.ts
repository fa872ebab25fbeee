// The clickhouse commands: their options and help.

import type { ProgramParts } from "../options/common-options.ts";

/** Adds `clickhouse migrate` and `clickhouse explain`. */
export function addClickHouseCommands({ assay, context, common, ended }: ProgramParts): void {
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

// assay clickhouse: creates the tables, and shows where queries run.

import { migrateClickHouse } from "@assay/adapters-clickhouse";
import { connectClickHouse } from "@assay/adapters-clickhouse/internal";
import { openClickHouse } from "@assay/server/directory";
import { projectArgument } from "../../data/project-argument.ts";
import { readBodyFile } from "../../files/read-body-file.ts";
import { type CliContext, log, print, printJson } from "../../terminal/cli-context.ts";
import { EXIT, Failure } from "../../terminal/failure.ts";

/** Creates the tables, on a cluster if one is named, or migrates them. Returns the exit code. */
export async function migrateCommand(
  context: CliContext,
  store: string | undefined,
  cluster: string | undefined,
): Promise<number> {
  const { clickhouse, database, where, close } = connectClickHouse(named(store));
  try {
    const { step, taken } = await migrateClickHouse(clickhouse, database, { cluster });
    await print(
      context,
      taken === 0
        ? `${where} is up to date, at step ${step}`
        : `${where} is now at step ${step}: ${taken} ${taken === 1 ? "step" : "steps"} taken`,
    );
    return EXIT.ok;
  } finally {
    await close();
  }
}

/** Prints where a query would be answered. Returns the exit code. */
export async function explainCommand(
  context: CliContext,
  given: { readonly project: string; readonly body: string; readonly store: string | undefined },
): Promise<number> {
  const project = projectArgument(given.project);
  const body = await readBodyFile(context, given.body);
  const data = await openClickHouse(named(given.store));
  try {
    const choice = await data.engine.explain(project, body);
    if (choice.ok) {
      await printJson(context, choice.value);
      return EXIT.ok;
    }
    for (const { path, message } of choice.issues)
      log(context, `${given.body}: ${path.join(".")}: ${message}`);
    return EXIT.usage;
  } finally {
    await data.close();
  }
}

function named(store: string | undefined): string {
  if (store !== undefined) return store;
  throw new Failure(
    EXIT.usage,
    "give the database with --store clickhouse://host:8123/database, or set ASSAY_STORE",
  );
}

// assay doctor: checks every file of a data directory, and repairs what can be repaired.

import { repairDirectory } from "@assay/adapters-duckdb";
import { type CliContext, log, print } from "../../terminal/cli-context.ts";
import { EXIT } from "../../terminal/failure.ts";

/**
 * Repairs a data directory and prints what was found. The exit code is that of a failure if something cannot be
 * repaired.
 */
export async function doctorCommand(context: CliContext, directory: string): Promise<number> {
  const { found, lost } = await repairDirectory(directory);
  for (const message of found) await print(context, message);
  for (const message of lost) log(context, `assay: ${message}`);
  await print(
    context,
    lost.length === 0
      ? `no damage found in ${directory}`
      : `${lost.length} ${lost.length === 1 ? "fault remains" : "faults remain"}, listed above`,
  );
  return lost.length === 0 ? EXIT.ok : EXIT.failed;
}

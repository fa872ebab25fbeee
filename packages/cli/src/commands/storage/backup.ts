// assay backup: copies a data directory as of one moment, through the server that has it open or directly.

import { type BackupReport, writeBackup } from "@assay/adapters-duckdb";
import { filesOfTar } from "@assay/adapters-http/internal";
import { Fault } from "@assay/base";
import { findServer, openDirectory } from "@assay/server/directory";
import { type ServerOptions, serverAddress } from "../../clients/server-address.ts";
import { serverClient } from "../../clients/server-client.ts";
import { checkDirectory } from "../../data/open-data.ts";
import { type CliContext, messageLog, printInfo } from "../../terminal/cli-context.ts";
import { EXIT } from "../../terminal/failure.ts";
import { backupSize } from "./backup-size.ts";

/** What to copy, and where to. */
export interface BackupOptions extends ServerOptions {
  readonly destination: string;
}

/** Makes a backup. Returns the exit code. */
export async function backupCommand(context: CliContext, options: BackupOptions): Promise<number> {
  const { data, server, destination } = options;
  const address = server === undefined ? await findServer(data) : await serverAddress(options);
  const report =
    address === undefined
      ? await backupOfDirectory(context, data, destination)
      : await backupOfServer(context, address, options);
  await printInfo(context, `backed up to ${destination}: ${backupSize(report)}, as of ${report.takenAt}`);
  return EXIT.ok;
}

async function backupOfDirectory(
  context: CliContext,
  data: string,
  destination: string,
): Promise<BackupReport> {
  checkDirectory(data);
  const directory = await openDirectory(data, { tell: messageLog(context), orForReading: true });
  try {
    return await writeBackup(destination, directory.stores.backup(), context.signal);
  } finally {
    await directory.close();
  }
}

async function backupOfServer(
  context: CliContext,
  url: string,
  { apiKey, destination }: BackupOptions,
): Promise<BackupReport> {
  const { signal } = context;
  // Without compression: compressing takes longer than sending the data, whether or not the backup is compressed later.
  const headers = { "Accept-Encoding": "identity" };
  const answer = await serverClient(url, apiKey).open("GET /v1/backup", { headers, signal });
  try {
    return await writeBackup(destination, filesOfTar(answer.body!), signal);
  } catch (error) {
    // Disk errors and digest mismatches were reported already.
    if (error instanceof Fault || signal.aborted) throw error;
    throw new Fault("unavailable", `the server at ${url} closed the connection: nothing was written`, {
      cause: error,
    });
  }
}

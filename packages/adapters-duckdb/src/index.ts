/**
 * The data directory: calls, rows, traces, training jobs, keys and usage in one folder that one process has open.
 *
 * @packageDocumentation
 */
export type { BackupFile } from "./backup/backup-files.ts";
export { type RestoreReport, restoreBackup } from "./backup/restore-backup.ts";
export { type BackupReport, writeBackup } from "./backup/write-backup.ts";
export {
  type Deletion,
  type DeletionReport,
  deleteRecords,
  writeFilesAnew,
} from "./deletion/delete-records.ts";
export type { UsageLedger, UsageLedgerOptions } from "./inference/usage.ts";
export { type LockHolder, lockHolder } from "./lock.ts";
export { type DirectoryReport, mendDirectory } from "./recovery/mend.ts";
export { openStore, type Store, type StoreOptions } from "./store.ts";
export type { StoreCounts } from "./store-counts.ts";
export { type FileColumn, type TableFormat, writeTableFile } from "./table-file.ts";
export type { FileArtifacts } from "./training/artifacts.ts";

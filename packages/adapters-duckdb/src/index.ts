/**
 * The data directory: calls, rows, traces, training jobs, keys and usage in one folder, which one process opens at a
 * time.
 *
 * @packageDocumentation
 */
export { type RestoreReport, restoreBackup } from "./backup/restore-backup.ts";
export { type BackupReport, writeBackup } from "./backup/write-backup.ts";
export { lockHolder } from "./database/lock.ts";
export { type Deletion, type DeletionReport, deleteRecords } from "./deletion/delete-records.ts";
export { type DirectoryReport, repairDirectory } from "./recovery/repair.ts";
export { openStore, type Store, type StoreOptions } from "./store.ts";

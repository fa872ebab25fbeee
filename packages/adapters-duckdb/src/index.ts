/**
 * The data directory: calls, rows, traces, training jobs, keys and usage in one folder that one process has open.
 *
 * @packageDocumentation
 */
export type { Cell, Column, Database, Parameter, Reader, Transaction } from "./database.ts";
export { type Deletion, type DeletionReport, deleteRecords } from "./deletion/delete-records.ts";
export { openKeyStore } from "./inference/keys.ts";
export { openUsageLedger, type UsageLedger, type UsageLedgerOptions } from "./inference/usage.ts";
export { type LockHolder, lockHolder } from "./lock.ts";
export { type DirectoryReport, mendDirectory } from "./recovery/mend.ts";
export { openStore, type Store, type StoreOptions } from "./store.ts";
export { type FileColumn, type TableFormat, writeTableFile } from "./table-file.ts";
export { signingSecret } from "./tracking/signing-secret.ts";
export { trackingStore } from "./tracking/store.ts";
export { type FileArtifacts, fileArtifacts } from "./training/artifacts.ts";
export { trainingStore } from "./training/store.ts";

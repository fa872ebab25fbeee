/**
 * Exports of `@assay/adapters-http` for other packages of Assay. Not part of the public API: any release can change or
 * remove a name. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */

export type { BootstrapAccess } from "./auth/bootstrap-access.ts";
export { isLoopback } from "./auth/loopback.ts";
export { backupRoutes } from "./backup/backup-routes.ts";
export { filesOfTar } from "./backup/tar.ts";
export { OWN_PATHS } from "./docs/system-routes.ts";
export type { PageFileOptions, TableFormat, TableSource } from "./export/export-routes.ts";
export type { Around } from "./handler.ts";
export type { MetricsRoutesOptions } from "./metrics/metrics-routes.ts";
export type { ProjectList } from "./page/project-list-routes.ts";
export type { BadLine, ImportReport, LineKind } from "./project-data/project-data.ts";
export type { RemovalReport, RemovedData } from "./project-data/project-data-routes.ts";
export { type MemoryBudget, memoryBudget } from "./request/memory-budget.ts";
export type { AccessLogEntry } from "./routing/access-log-entry.ts";
export type { WatchedProgress } from "./watch/progress.ts";
export type { ChosenPrice, PriceAt } from "./weave/priced-calls.ts";

/**
 * What other Assay packages need from `@assay/adapters-http`. Not part of its public API: any release can change or
 * remove a name. Assay packages depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export type { AnsweredRequest } from "./answered-request.ts";
export { backupFace } from "./backup/face.ts";
export { filesOfTar } from "./backup/tar.ts";
export type { PageFileOptions, TableFormat, TableSource } from "./export/face.ts";
export type { Around } from "./handler.ts";
export { isLoopback } from "./loopback.ts";
export type { MetricsFaceOptions } from "./metrics/face.ts";
export type { OpenUntilKeyed } from "./open-until-keyed.ts";
export { OWN_PATHS } from "./own-face.ts";
export type { ProjectList } from "./page/projects-face.ts";
export type { RemovalReport, RemovedData } from "./project-data/face.ts";
export type { BadLine, ImportReport, LineKind } from "./project-data/project-data.ts";
export { type Room, room } from "./room.ts";
export type { WatchedProgress } from "./watch/progress.ts";
export type { ChosenPrice, PriceAt } from "./weave/priced-calls.ts";

/**
 * Exports of `@assay/server` for other packages of Assay. Not part of the public API: any release can change or remove
 * a name. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */

export type { DataAccess, WrittenEvaluation } from "./data/data-access.ts";
export { evaluationProgress } from "./data/evaluation-progress.ts";
export { type ListedProject, listedProjects } from "./data/listed-projects.ts";
export { withPrices } from "./data/priced-data.ts";
export { expiredEvaluations } from "./data/retention.ts";
export { loadServer } from "./open-server.ts";
export type { WhoMayAsk } from "./settings/access.ts";
export { readSettingsText } from "./training/settings-text.ts";
export { systemClock } from "./training/system-clock.ts";

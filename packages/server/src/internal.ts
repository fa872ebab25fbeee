/**
 * What other Assay packages need from `@assay/server`. Not part of its public API: any release can change or remove a
 * name. Assay packages depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export type { WhoMayAsk } from "./access.ts";
export type { DataAccess, WrittenEvaluation } from "./data-access.ts";
export { evaluationProgress } from "./evaluation-progress.ts";
export { type ListedProject, listedProjects } from "./listed-projects.ts";
export { withPrices } from "./priced-data.ts";
export { expiredEvaluations } from "./retention.ts";
export { readSettingsText } from "./settings-text.ts";
export { systemClock } from "./system-clock.ts";

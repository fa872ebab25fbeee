/**
 * What other packages of Assay need of `@assay/server`. Not part of its public API: a name can change or go in any
 * release. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export type { WhoMayAsk } from "./access.ts";
export type { DataAccess, WrittenEvaluation } from "./data-access.ts";
export { evaluationProgress } from "./evaluation-progress.ts";
export type { ListedProject } from "./listed-projects.ts";
export { withPrices } from "./priced-data.ts";
export { expiredEvaluations } from "./retention.ts";
export { readSettingsText } from "./settings-text.ts";
export { systemClock } from "./system-clock.ts";

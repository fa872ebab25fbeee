/**
 * What other packages of Assay need of this one, not for others: `@assay/server` promises
 * nothing of it, and a name can change or go in any release. Packages of Assay name each other's versions exactly.
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

import type { StatisticsQuestion, ViewQuestion } from "@assay/eval-engine/internal";

/** The questions of statistics, each a route of its own. */
export const STATISTICS_QUESTIONS: readonly StatisticsQuestion[] = ["compare", "slices", "ranking"];

/** The questions of a page, each a route of its own. */
export const VIEW_QUESTIONS: readonly ViewQuestion[] = ["page", "groups", "fields"];

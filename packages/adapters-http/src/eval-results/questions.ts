import type { StatisticsQuestion } from "@assay/eval-engine";

/** The questions of statistics, each a route of its own. */
export const STATISTICS_QUESTIONS: readonly StatisticsQuestion[] = ["compare", "slices", "ranking"];

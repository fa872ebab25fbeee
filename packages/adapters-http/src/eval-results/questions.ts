import type { StatisticsQuestion, ViewQuestion } from "@assay/eval-engine/internal";

/** The statistics questions, each with its own route. */
export const STATISTICS_QUESTIONS: readonly StatisticsQuestion[] = ["compare", "slices", "ranking"];

/** The questions of the page, each with its own route. */
export const VIEW_QUESTIONS: readonly ViewQuestion[] = ["page", "groups", "fields"];

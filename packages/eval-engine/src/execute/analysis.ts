// Computations of an engine other than the query: statistics, and pages of rows. The engine imports this module on
// first use. No other module may import it, or every query would load twice as much code.

export { answerStatistics } from "../statistics/statistics.ts";
export { answerView } from "../view/view.ts";
export { selectRows, selectView } from "./selections.ts";

/** Loads the code that computes statistics, ahead of the first question. */
export async function loadStatistics(): Promise<void> {
  await Promise.all([
    import("../statistics/compare.ts"),
    import("../statistics/slices.ts"),
    import("../statistics/ranking.ts"),
  ]);
}

// What an engine computes beyond the query: statistics, and what a page of rows asks.
// The engine imports this when it is first asked. It must never be imported otherwise, or whoever only queries loads
// twice the code.

export { answerStatistics } from "../statistics/statistics.ts";
export { answerView } from "../view/view.ts";
export { selectRows, selectView } from "./selections.ts";

/** Loads what computes statistics, ahead of the first question. */
export async function loadStatistics(): Promise<void> {
  await Promise.all([
    import("../statistics/compare.ts"),
    import("../statistics/slices.ts"),
    import("../statistics/ranking.ts"),
  ]);
}

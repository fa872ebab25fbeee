// What an engine computes beyond the query: statistics, and what a page of rows asks.
// The engine imports this when it is first asked. It must never be imported otherwise, or whoever only queries loads
// twice the code.

export { answerStatistics } from "../statistics/statistics.ts";
export { answerView } from "../view/view.ts";
export { selectRows, selectView } from "./selections.ts";

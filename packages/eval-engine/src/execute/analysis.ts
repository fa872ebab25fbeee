// What an engine computes beyond the query: statistics, and what a page of rows asks.
// The engine imports this when it is first asked. It must never be imported otherwise, or whoever only queries loads
// twice the code.

export { columnRows } from "../statistics/columns.ts";
export { answerStatistics } from "../statistics/statistics.ts";
export { columnView } from "../view/columns.ts";
export { answerView } from "../view/view.ts";

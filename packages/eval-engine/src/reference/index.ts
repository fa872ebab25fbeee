// The executable specification: the meaning of queries, statistics and pages of rows, over plain objects. For tests,
// and for questions with `plan: "naive"`. Code that answers in other ways must not import it.

export { naive } from "./naive.ts";
export { referenceRows } from "./selected-rows.ts";
export { referenceView } from "./view-rows.ts";

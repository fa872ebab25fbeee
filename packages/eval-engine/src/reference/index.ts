// The executable specification: what queries, statistics and pages of rows mean, over plain objects. For tests, and
// for questions with `plan: "naive"`: nothing that answers otherwise may import it.

export { naive } from "./naive.ts";
export { referenceRows } from "./selected-rows.ts";
export { referenceView } from "./view-rows.ts";

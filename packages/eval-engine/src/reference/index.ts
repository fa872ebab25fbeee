// The executable specification: what queries, statistics and pages of rows mean, read aloud over plain objects. It is for
// tests, and for whoever asks the engine by `plan: "naive"`: nothing that answers otherwise may import it.

export { naive } from "./naive.ts";
export { referenceRows } from "./selected-rows.ts";
export { referenceView } from "./view-rows.ts";

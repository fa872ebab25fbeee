// Cases that failed in the past. Every property that compares the engine with its specification runs them before random
// cases. A failing property prints its smallest case as such an object: add it here under a name that describes the
// error. Calls need only the relevant members.

import type { Case } from "./case.ts";

const trial = { op_name: "Evaluation.predict_and_score", parent_id: "e1" };

/** Cases that failed in the past, by a description of the error. */
export const regressions: Readonly<Record<string, Case>> = {
  "a dataset row that is null was taken for one that is not there": {
    calls: [{ ...trial, id: "p0", inputs: { example: "x/attr/rows/id/r" } }],
    rows: [{ digest: "r", val: null }],
    requests: [
      {
        evaluation_call_ids: ["e1"],
        include_raw_data_rows: true,
        resolve_row_refs: true,
        filters: [{ query: { $expr: { $eq: [{ $getField: "inputs" }, { $literal: null }] } } }],
      },
    ],
  },
  "the last bits of a score were lost on the way into a whole number of 128 bits": {
    calls: [
      { ...trial, id: "p0", inputs: { example: 0 }, output: { scores: { s: 0.7 } } },
      { ...trial, id: "p1", inputs: { example: 1 }, output: { scores: { s: 0.2, t: "x" } } },
    ],
    rows: [],
    requests: [{ evaluation_call_ids: ["e1"], include_summary: true }],
  },
  "the items of a list were added to the scores that are named by a number": {
    calls: [
      { ...trial, id: "p0", inputs: { example: 0 }, output: { scores: { s: { "0": 2, "1": true } } } },
      { ...trial, id: "p1", inputs: { example: 1 }, output: { scores: { s: [1, true] } } },
    ],
    rows: [],
    requests: [{ evaluation_call_ids: ["e1"], include_summary: true }],
  },
};

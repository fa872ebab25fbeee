// What the engine's types promise to callers and to authors of stores. Only the compiler checks this file; nothing here
// runs.

import type { Issue, Result } from "@assay/base";
import {
  type CallSource,
  createEvalEngine,
  type EvalEngine,
  type EvalResults,
  type EvalResultsQueryBody,
  type EvalResultsRow,
  type EvalResultsSummary,
  memoryCalls,
  memoryRows,
  type RowSource,
} from "@assay/eval-engine";
import { readRequest } from "@assay/eval-engine/internal";
import { expectTypeOf } from "vitest";

// An engine needs only the two sources; everything else has a default.
const engine = createEvalEngine({ calls: memoryCalls([]), rows: memoryRows() });
expectTypeOf(engine).toEqualTypeOf<EvalEngine>();
// @ts-expect-error without rows, references to dataset rows could not be resolved
createEvalEngine({ calls: memoryCalls([]) });
expectTypeOf(memoryCalls([])).toExtend<CallSource>();
expectTypeOf(memoryRows()).toExtend<RowSource>();

// A body written in the program is typed and returns results; a body from outside is unknown and may have issues.
expectTypeOf(engine.query).parameter(1).toEqualTypeOf<EvalResultsQueryBody>();
expectTypeOf(engine.query("acme/demo", {})).resolves.toEqualTypeOf<EvalResults>();
expectTypeOf(engine.answer).parameter(1).toBeUnknown();
expectTypeOf(engine.answer("acme/demo", {})).resolves.toEqualTypeOf<Result<EvalResults>>();
const read = readRequest({});
if (!read.ok) expectTypeOf(read.issues).toEqualTypeOf<readonly Issue[]>();

// Everything in a body is optional, and the compiler finds misspelt names and values.
expectTypeOf({}).toExtend<EvalResultsQueryBody>();
const page: EvalResultsQueryBody = {
  evaluation_call_ids: ["a", "b"],
  filters: [{ query: { $expr: { $eq: [{ $getField: "inputs.topic" }, { $literal: "math" }] } } }],
  sort_by: [{ field: "scores.accuracy", direction: "desc", mode: "difference" }],
  limit: null,
};
void engine.query("acme/demo", page);
// @ts-expect-error the property is called `evaluation_call_ids`
void engine.query("acme/demo", { evaluations: ["a"] });
// @ts-expect-error a direction is `asc` or `desc`
void engine.query("acme/demo", { sort_by: [{ field: "row_digest", direction: "down" }] });
// @ts-expect-error a filter is `{ query: { $expr } }`
void engine.query("acme/demo", { filters: [{ $eq: [1, 1] }] });

// Every field of a response is always present, except costs, which are optional. A missing value is null, never
// undefined.
expectTypeOf<Required<EvalResults>>().toEqualTypeOf<EvalResults>();
expectTypeOf<EvalResults["summary"]>().toEqualTypeOf<EvalResultsSummary | null>();
type Trial = EvalResultsRow["evaluations"][number]["trials"][number];
type Unpriced = Omit<Trial, "total_cost">;
expectTypeOf<Required<Unpriced>>().toEqualTypeOf<Unpriced>();
expectTypeOf<Trial["total_tokens"]>().toEqualTypeOf<number | null>();
type Statistics = EvalResultsSummary["evaluations"][number]["scorer_stats"][number];
expectTypeOf<Required<Statistics>>().toEqualTypeOf<Statistics>();
expectTypeOf<Statistics["pass_rate"]>().toEqualTypeOf<number | null>();

// Caches share answers, so callers must not change them.
declare const results: EvalResults;
// @ts-expect-error rows are readonly
results.rows.push();

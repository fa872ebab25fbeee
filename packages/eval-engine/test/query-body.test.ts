import { expect, test } from "vitest";
import { queryBody } from "../src/index.ts";
import { readRequest } from "../src/query/request.ts";

test("words become a valid request body", () => {
  const body = queryBody({
    evaluations: ["v1", "v2"],
    where: "inputs.n > 1",
    sort: "Δcorrect, inputs.n of v2 desc",
    limit: 5,
    offset: 10,
  });
  if (!body.ok) throw new Error(JSON.stringify(body.issues));
  expect(body.value.sort_by).toEqual([
    { field: "scores.correct", direction: "desc", mode: "difference" },
    { field: "inputs.n", direction: "desc", evaluation_call_id: "v2" },
  ]);
  expect(readRequest(body.value)).toMatchObject({
    ok: true,
    value: { limit: 5, offset: 10, filters: [{ evaluation: null, expr: { kind: "compare", op: "gt" } }] },
  });
});

test("faults are reported with their text and position", () => {
  const body = queryBody({ evaluations: ["v1"], where: "inputs.n = 1 and n = 1 or m", sort: "Δ" });
  expect(body).toMatchObject({
    ok: false,
    issues: [{ path: ["where", 17] }, { path: ["where", 26] }, { path: ["sort", 1] }],
  });
});

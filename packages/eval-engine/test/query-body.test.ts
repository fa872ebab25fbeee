import fc from "fast-check";
import { expect, test } from "vitest";
import { queryBody } from "../src/index.ts";
import { readRequest } from "../src/query/request.ts";
import { request } from "../src/testing/index.ts";

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

test("as in JSON, a member that is undefined is absent", () => {
  const absent = { limit: undefined, evaluation_run_ids: undefined, no_member: undefined };
  const padded = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(padded);
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => [name, padded(member)]);
    return { ...absent, ...Object.fromEntries(members) };
  };
  fc.assert(
    fc.property(request, (body) => {
      expect(readRequest(padded(body))).toEqual(readRequest(body));
    }),
    { numRuns: 300 },
  );
  const filters = { filters: [{ query: undefined }], sort_by: [{ field: undefined, direction: "asc" }] };
  expect(readRequest(filters)).toEqual(readRequest(JSON.parse(JSON.stringify(filters))));
});

test("words need a list of evaluations", () => {
  const words: object = { where: "inputs.n = 1" };
  expect(queryBody(words as Parameters<typeof queryBody>[0])).toMatchObject({
    issues: [{ path: ["evaluations"], message: "evaluations must be a list" }],
  });
});

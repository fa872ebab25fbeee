// docs/reference/semantics.md, "Grouping": trials of the same row form a group.

import { expect, test } from "vitest";
import { createEvalEngine, memoryCalls, memoryRows } from "../../src/index.ts";
import { ask, callsOf, digests, evaluation, row, trial, trialIds } from "./project.ts";

test("rows are keyed by digest; each evaluation that has the row is listed once", async () => {
  const calls = [
    evaluation("e1", trial("a", { of: row("r1") }), trial("b", { of: row("r2") })),
    evaluation("e2", trial("c", { of: row("r2") }), trial("d", { of: row("r3") })),
  ];
  const { rows } = await ask(calls, { evaluation_call_ids: ["e1", "e2"] });
  expect(
    rows.map((one) => [one.row_digest, one.evaluations.map(({ evaluation_call_id }) => evaluation_call_id)]),
  ).toEqual([
    ["r1", ["e1"]],
    ["r2", ["e1", "e2"]],
    ["r3", ["e2"]],
  ]);
});

test("evaluations are in request order", async () => {
  const calls = [evaluation("e1", trial("a")), evaluation("e2", trial("b"))];
  expect(trialIds(await ask(calls, { evaluation_call_ids: ["e2", "e1"] }))).toEqual([["r1", "b", "a"]]);
});

test("trials are ordered by start, then by id", async () => {
  const calls = [
    evaluation(
      "e1",
      trial("a", { at: 2 }),
      trial("c", { at: 1 }),
      trial("b", { at: 1 }),
      trial("d", { at: 0.5 }),
    ),
  ];
  expect(trialIds(await ask(calls, { evaluation_call_ids: ["e1"] }))).toEqual([["r1", "d", "b", "c", "a"]]);
});

test("a trial without a readable start comes last", async () => {
  const never = (id: string, started_at: string | null) => trial(id, { call: { started_at } });
  const calls = [evaluation("e1", never("a", null), never("b", "yesterday"), trial("c"))];
  expect(trialIds(await ask(calls, { evaluation_call_ids: ["e1"] }))).toEqual([["r1", "c", "a", "b"]]);
});

test("rows are ordered by digest, bytewise", async () => {
  const calls = [
    evaluation("e1", ...["b", "a", "Z", "é", "10", "9"].map((id) => trial(id, { of: row(id) }))),
  ];
  expect(digests(await ask(calls, { evaluation_call_ids: ["e1"] }))).toEqual(["10", "9", "Z", "a", "b", "é"]);
});

test("two projects never see each other's calls", async () => {
  const calls = memoryCalls();
  calls.put("acme/one", callsOf([evaluation("e1", trial("a", { at: 1 }))]));
  calls.put("acme/two", callsOf([evaluation("e1", trial("b", { at: 1 }))]));
  const engine = createEvalEngine({ calls, rows: memoryRows() });
  const body = { evaluation_call_ids: ["e1"] };
  expect(trialIds(await engine.query("acme/one", body))).toEqual([["r1", "a"]]);
  expect(trialIds(await engine.query("acme/two", body))).toEqual([["r1", "b"]]);
  expect(trialIds(await engine.query("acme/three", body))).toEqual([]);
});

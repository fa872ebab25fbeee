// Laws of every `CallStore`, for implementers.

import type { Law, Open } from "@assay/base";
import { expectSame, lawsFor } from "@assay/base/internal";
import type { CallScope } from "@assay/calls";
import { deleteCalls } from "../calls/delete-calls.ts";
import type { CallStore } from "../ports/call-store.ts";
import { type TraceCall, unknownCall } from "../ports/trace-call.ts";

/** The laws of a `CallStore`. `open` creates an empty one each time. */
export function callStoreLaws(open: Open<CallStore>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("a new project is empty", async (store) => {
      expectSame(await store.get(P, ["a"]), [undefined]);
      expectSame(await idsIn(store, {}), []);
    }),

    law("get returns calls in the requested order, and undefined for unknown ids", async (store) => {
      await store.put([start("a"), start("b")]);
      const found = await store.get(P, ["b", "x", "a", "b"]);
      expectSame(
        found.map((call) => call?.id ?? null),
        ["b", null, "a", "b"],
      );
    }),

    law("every field of a call comes back as it was put", async (store) => {
      await store.put([WHOLE]);
      expectSame(await store.get(P, [WHOLE.id]), [WHOLE]);
    }),

    law("a start and an end make one call, whichever comes first", async (store) => {
      await store.put([start("a"), end("b")]);
      await store.put([end("a"), start("b")]);
      for (const call of await store.get(P, ["a", "b"])) {
        expectSame(call?.started_at, T0);
        expectSame(call?.ended_at, T1);
        expectSame(call?.output, { ok: [1, null, "é"] });
      }
    }),

    law("pieces of one call in one batch are joined", async (store) => {
      await store.put([end("a"), rename("a", "second", T1), start("a"), rename("a", "first", T0)]);
      const [call] = await store.get(P, ["a"]);
      expectSame([call?.started_at, call?.ended_at, call?.display_name], [T0, T1, "second"]);
    }),

    law("putting a piece twice changes nothing", async (store) => {
      await store.put([start("a"), end("a")]);
      const once = await store.get(P, ["a"]);
      await store.put([end("a"), start("a"), start("a")]);
      expectSame(await store.get(P, ["a"]), once);
      expectSame(await idsIn(store, {}), ["a"]);
    }),

    law("a deleted call is gone, and stays deleted when a late piece of it arrives", async (store) => {
      await store.put([start("a"), start("b")]);
      await store.put([{ ...unknownCall(P, "a"), deleted_at: T1 }]);
      await store.put([end("a")]);
      expectSame(await store.get(P, ["a"]), [undefined]);
      expectSame(await idsIn(store, {}), ["b"]);
    }),

    law(
      "scan is ordered by the instant of the start, then by id, with unknown starts last",
      async (store) => {
        await store.put([
          { ...start("d"), started_at: "2026-01-01T01:00:00+01:00" },
          { ...start("c"), started_at: "2026-01-01T00:00:00.000Z" },
          { ...start("b"), started_at: "2025-12-31T23:59:59.999999Z" },
          end("a"),
          { ...start("é"), started_at: "2026-01-01T00:00:00Z" },
        ]);
        expectSame(await idsIn(store, {}), ["b", "c", "d", "é", "a"]);
      },
    ),

    law("of many calls with the same start, scan returns each once, by id", async (store) => {
      // More than a store reads in one batch, put in another order than that of their IDs.
      const ids = Array.from({ length: 5000 }, (_, i) => `c${String((i * 1009) % 5000).padStart(4, "0")}`);
      await store.put([
        start("early", { started_at: "2025-12-31T00:00:00Z" }),
        ...ids.map((id) => start(id)),
      ]);
      await store.put([start("late", { started_at: T1 })]);
      expectSame(await idsIn(store, {}), ["early", ...ids.toSorted(), "late"]);
    }),

    law("scan returns the calls that match everything in the scope", async (store) => {
      await store.put([
        start("r1", { trace_id: "t1" }),
        start("r2", { trace_id: "t2" }),
        start("c1", { trace_id: "t1", parent_id: "r1" }),
        start("c2", { trace_id: "t2", parent_id: "r2" }),
      ]);
      expectSame(await idsIn(store, { rootsOnly: true }), ["r1", "r2"]);
      expectSame(await idsIn(store, { traceIds: ["t1"] }), ["c1", "r1"]);
      expectSame(await idsIn(store, { parentIds: ["r1", "r2"] }), ["c1", "c2"]);
      expectSame(await idsIn(store, { ids: ["c1", "r2", "x"], traceIds: ["t2"] }), ["r2"]);
      expectSame(await idsIn(store, { ids: [] }), []);
      expectSame(await idsIn(store, { rootsOnly: true, parentIds: ["r1"] }), []);
    }),

    law("a deletion removes all calls below, at any depth and in any trace", async (store) => {
      const id = (i: number) => `c${String(i).padStart(3, "0")}`;
      // A chain that leads into another trace in the middle and back; calls outside the chain remain.
      const chain = Array.from({ length: 120 }, (_, i) =>
        start(id(i), { trace_id: i > 40 && i < 80 ? "u" : "t", parent_id: i === 0 ? "top" : id(i - 1) }),
      );
      const beside = start("beside", { trace_id: "u", parent_id: "top" });
      await store.put([start("top", { trace_id: "t" }), beside, ...chain]);
      expectSame(await deleteCalls(store, P, [id(0)], T1), 120);
      expectSame(await idsIn(store, {}), ["beside", "top"]);
    }),

    law("projects do not see each other", async (store) => {
      await store.put([start("a"), { ...start("a"), project_id: "acme/other", op_name: "other" }]);
      expectSame((await store.get(P, ["a"]))[0]?.op_name, "op");
      expectSame((await store.get("acme/other", ["a"]))[0]?.op_name, "other");
    }),

    law("concurrent puts are all kept", async (store) => {
      const ids = Array.from({ length: 20 }, (_, i) => `c${String(i).padStart(2, "0")}`);
      await Promise.all(ids.flatMap((id) => [store.put([start(id)]), store.put([end(id), end("shared")])]));
      await store.put([start("shared")]);
      expectSame(await idsIn(store, {}), [...ids, "shared"]);
      for (const call of await store.get(P, ids)) expectSame([call?.started_at, call?.ended_at], [T0, T1]);
    }),
  ];
}

const P = "acme/demo";
const T0 = "2026-01-01T00:00:00Z";
const T1 = "2026-01-01T00:00:01.5Z";

const WHOLE: TraceCall = {
  id: "w",
  project_id: P,
  trace_id: "t",
  parent_id: "p",
  op_name: "weave:///acme/demo/op/f:v1",
  display_name: "näme",
  renamed_at: T1,
  started_at: "2026-01-01T00:00:00.123456Z",
  ended_at: T1,
  inputs: { self: "ref", list: [1, "2", null, { "a.b": 1e-7 }] },
  output: "text",
  attributes: { weave: { score: true } },
  summary: { usage: {} },
  exception: "ValueError",
  deleted_at: null,
  thread_id: "th",
  turn_id: "tu",
  wb_user_id: "u",
  wb_run_id: "r",
  wb_run_step: 3,
  wb_run_step_end: 4,
};

function start(id: string, more: Partial<TraceCall> = {}): TraceCall {
  return {
    ...unknownCall(P, id),
    trace_id: "t",
    op_name: "op",
    started_at: T0,
    inputs: {},
    attributes: {},
    ...more,
  };
}

function end(id: string): TraceCall {
  return { ...unknownCall(P, id), ended_at: T1, output: { ok: [1, null, "é"] }, summary: {} };
}

function rename(id: string, name: string, at: string): TraceCall {
  return { ...unknownCall(P, id), display_name: name, renamed_at: at };
}

async function idsIn(store: CallStore, scope: CallScope): Promise<string[]> {
  const ids: string[] = [];
  for await (const calls of store.scan(P, scope)) ids.push(...calls.map(({ id }) => id));
  return ids;
}

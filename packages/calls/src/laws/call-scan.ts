// Laws of `CallScan`: it lists the calls that its store's `CallWriter` wrote.

import type { Law, Open } from "@assay/base";
import { expectSame, lawsFor } from "@assay/base/internal";
import type { Call } from "../call/call.ts";
import { microseconds } from "../call/timestamp.ts";
import type { CallOrder, CallScan, CallScanOptions, CallScope } from "../ports/call-scan.ts";
import type { CallWriter, KeptCall } from "../ports/call-writer.ts";
import { callOf, textOf } from "../testing/calls.ts";

/** The laws of a `CallScan`. `open` creates a new, empty store each time. */
export function callScanLaws(open: Open<CallWriter & CallScan>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("a project that nothing was put into has no calls", async (calls) => {
      expectSame(await idsOf(calls), []);
    }),

    law(
      "calls come by the instant of their start, then id; unknown starts last; deleted ones not",
      async (calls) => {
        await calls.put(
          P,
          [
            callOf("none", null, { started_at: null }),
            callOf("b", "r", { started_at: "2026-01-01T01:00:00+01:00" }),
            callOf("a", "r", { started_at: "2026-01-01T00:00:00Z" }),
            callOf("micro", "r", { started_at: "2026-01-01T00:00:00.000001Z" }),
            callOf("early", "r", { started_at: "1969-12-31T23:59:59Z" }),
            callOf("gone", "r", { deleted_at: "2026-01-01T00:00:00Z" }),
            callOf("unread", "r", { started_at: "yesterday" }),
          ].map(textOf),
        );
        expectSame(await idsOf(calls), ["early", "a", "b", "micro", "none", "unread"]);
        expectSame(await idsOf(calls, {}, { order: "newest" }), [
          "micro",
          "a",
          "b",
          "early",
          "none",
          "unread",
        ]);
      },
    ),

    law("a scope is everything that is given", async (calls) => {
      await calls.put(
        P,
        [
          callOf("r1", null, { trace_id: "t1" }),
          callOf("r2", null, { trace_id: "t2" }),
          callOf("a", "r1", { trace_id: "t1" }),
          callOf("b", "r2", { trace_id: "t2" }),
        ].map(textOf),
      );
      expectSame(await idsOf(calls, { rootsOnly: true }), ["r1", "r2"]);
      expectSame(await idsOf(calls, { traceIds: ["t1", "none"] }), ["a", "r1"]);
      expectSame(await idsOf(calls, { parentIds: ["r1", "r2"], traceIds: ["t2"] }), ["b"]);
      expectSame(await idsOf(calls, { ids: ["b", "r1", "x"] }), ["b", "r1"]);
      expectSame(await idsOf(calls, { ids: [] }), []);
      expectSame(await idsOf(calls, { ids: ["a"], rootsOnly: true }), []);
    }),

    law("ops are named exactly, or by the beginning of their names", async (calls) => {
      const names = ["weave:///p/op/f:v1", "weave:///p/op/f:v2", "weave:///p/op/fg:v1", "f", "%:_", ""];
      await calls.put(
        P,
        names.map((op_name, i) => textOf(callOf(String(i), null, { op_name }))),
      );
      expectSame(await idsOf(calls, { opNames: ["weave:///p/op/f:*"] }), ["0", "1"]);
      expectSame(await idsOf(calls, { opNames: ["f", "weave:///p/op/f:v2"] }), ["1", "3"]);
      expectSame(await idsOf(calls, { opNames: ["%:*", "weave:///p/op/%:*"] }), ["4"]);
      expectSame(await idsOf(calls, { opNames: [""] }), ["5"]);
      expectSame(await idsOf(calls, { opNames: [] }), []);
    }),

    law("the start of a call has arrived with its op name or its time", async (calls) => {
      const none = { op_name: "", started_at: null };
      await calls.put(
        P,
        [
          callOf("end", null, none),
          callOf("named", null, { started_at: null }),
          callOf("timed", null, { op_name: "" }),
        ].map(textOf),
      );
      expectSame(await idsOf(calls, { startedOnly: true }), ["timed", "named"]);
    }),

    law("a call comes as it came, unknown keys and all", async (calls) => {
      const call = callOf("a", null, { output: { deep: ["é", null, 0.1] } });
      const text = `{"unknown": [1.0, 1e2, "\\u00e9é"], ${JSON.stringify(call).slice(1)}`;
      await calls.put(P, [{ call, text }]);
      const found: KeptCall[] = [];
      for await (const batch of calls.scan(P)) found.push(...batch.map(({ call, text }) => ({ call, text })));
      expectSame(found, [{ call, text }]);
    }),

    law("many calls, many of them with one start, come once each and in order", async (calls) => {
      const many = Array.from({ length: 6000 }, (_, i) => {
        const started_at =
          i % 2 === 0
            ? "2026-01-01T00:00:30Z"
            : new Date(Date.UTC(2026, 0, 1) + (i % 600) * 100).toISOString();
        return callOf(`c${String((i * 7919) % 6000).padStart(4, "0")}`, "root", { started_at });
      });
      await calls.put(P, many.map(textOf));
      for (const order of ["oldest", "newest", "any"] as const) {
        const actual: string[] = [];
        for await (const batch of calls.scan(P, {}, { order })) {
          actual.push(...batch.map(({ call }) => key(call, order)));
          for (const { call, text } of batch) expectSame(JSON.parse(text), call);
        }
        expectSame(order === "any" ? actual.sort() : actual, many.map((call) => key(call, order)).sort());
      }
      const all = await idsOf(calls);
      for (const skip of [1, 150, 2995, 5999, 6000])
        expectSame(await idsOf(calls, { startedOnly: true }, { skip }), all.slice(skip));
    }),
  ];
}

const P = "acme/demo";

/** The start with a fixed number of digits, and the id: as texts, they sort in the order of a scan. */
function key({ id, started_at }: Call, order: CallOrder): string {
  const start = microseconds(started_at);
  return `${order === "newest" ? 9e15 - start : start} ${id}`;
}

/** The ids of a scan, which must be as many as are counted. */
async function idsOf(calls: CallScan, scope?: CallScope, options: CallScanOptions = {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const batch of calls.scan(P, scope, options)) ids.push(...batch.map(({ call }) => call.id));
  expectSame(await calls.count(P, scope), ids.length + (options.skip ?? 0));
  return ids;
}

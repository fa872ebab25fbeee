// Listing calls: all of those in scope, once, in order, as they came.

import { expect, test } from "vitest";
import type { ScanScope, Store } from "../src/index.ts";
import { call, freshDirectory, openHere, written } from "./support.ts";

const P = "acme/demo";

async function idsOf(store: Store, scope?: ScanScope): Promise<string[]> {
  const ids: string[] = [];
  for await (const batch of store.calls.scan(P, scope)) ids.push(...batch.map((item) => item.call.id));
  return ids;
}

test("calls come by the instant of their start, then id; unknown starts last; deleted ones not", async () => {
  const store = await openHere(freshDirectory());
  await store.calls.put(P, [
    written(call("none", null, { started_at: null })),
    written(call("b", "r", { started_at: "2026-01-01T01:00:00+01:00" })),
    written(call("a", "r", { started_at: "2026-01-01T00:00:00Z" })),
    written(call("micro", "r", { started_at: "2026-01-01T00:00:00.000001Z" })),
    written(call("early", "r", { started_at: "1969-12-31T23:59:59Z" })),
    written(call("gone", "r", { deleted_at: "2026-01-01T00:00:00Z" })),
    written(call("unread", "r", { started_at: "yesterday" })),
  ]);
  expect(await idsOf(store)).toEqual(["early", "a", "b", "micro", "none", "unread"]);
});

test("a scope is everything that is given", async () => {
  const store = await openHere(freshDirectory());
  await store.calls.put(P, [
    written(call("r1", null, { trace_id: "t1" })),
    written(call("r2", null, { trace_id: "t2" })),
    written(call("a", "r1", { trace_id: "t1" })),
    written(call("b", "r2", { trace_id: "t2" })),
  ]);
  expect(await idsOf(store, { rootsOnly: true })).toEqual(["r1", "r2"]);
  expect(await idsOf(store, { traceIds: ["t1", "none"] })).toEqual(["a", "r1"]);
  expect(await idsOf(store, { parentIds: ["r1", "r2"], traceIds: ["t2"] })).toEqual(["b"]);
  expect(await idsOf(store, { ids: ["b", "r1", "x"] })).toEqual(["b", "r1"]);
  expect(await idsOf(store, { ids: [] })).toEqual([]);
  expect(await idsOf(store, { ids: ["a"], rootsOnly: true })).toEqual([]);
});

test("many calls, many of them with one start, come once each and in order", async () => {
  const store = await openHere(freshDirectory());
  const calls = Array.from({ length: 6000 }, (_, i) => {
    const started_at =
      i % 2 === 0 ? "2026-01-01T00:00:30Z" : new Date(Date.UTC(2026, 0, 1) + (i % 600) * 100).toISOString();
    return call(`c${String((i * 7919) % 6000).padStart(4, "0")}`, "root", { started_at });
  });
  await store.calls.put(P, calls.map(written));
  const key = ({ id, started_at }: { readonly id: string; readonly started_at: string | null }): string =>
    `${new Date(started_at!).toISOString()} ${id}`;
  const expected = calls.map(key).sort();
  const actual: string[] = [];
  for await (const batch of store.calls.scan(P)) {
    actual.push(...batch.map((item) => key(item.call)));
    for (const item of batch) expect(JSON.parse(item.text.toString())).toEqual(item.call);
  }
  expect(actual).toEqual(expected);
});

// The queries that a deletion sends to a store, and when it stops.

import { type CallStore, memoryTraceStores } from "@assay/trace-core";
import { deleteCalls, unknownCall } from "@assay/trace-core/internal";
import { expect, test } from "vitest";

const P = "acme/demo";
const NOW = "2026-01-01T00:00:00Z";
const LEVELS = 5000;

/** A chain of calls with `perTrace` consecutive calls in each trace, and the number of scans of its store. */
async function chained(perTrace: number) {
  const { calls } = memoryTraceStores();
  await calls.put(
    Array.from({ length: LEVELS }, (_, i) => ({
      ...unknownCall(P, `c${i}`),
      ...{ trace_id: `t${Math.floor(i / perTrace)}`, op_name: "o", started_at: NOW },
      parent_id: i === 0 ? null : `c${i - 1}`,
    })),
  );
  let scans = 0;
  const store: CallStore = {
    ...calls,
    scan(project, scope) {
      scans++;
      return calls.scan(project, scope);
    },
  };
  return { store, scans: () => scans };
}

test("deleting a chain of calls does not query the store once per level", async () => {
  const { store, scans } = await chained(LEVELS);
  expect(await deleteCalls(store, P, ["c0"], NOW)).toBe(LEVELS);
  expect(scans()).toBeLessThan(40);
  expect(await store.get(P, ["c0", `c${LEVELS - 1}`])).toEqual([undefined, undefined]);
});

test("a deletion ends when its client disconnects, and has deleted nothing", async () => {
  const { store, scans } = await chained(1);
  const signal = { aborted: false };
  const pause = async () => {
    signal.aborted = scans() >= 100;
  };
  await expect(deleteCalls(store, P, ["c0"], NOW, { pause, signal })).rejects.toThrow(
    "the client disconnected",
  );
  expect(scans()).toBe(100);
  expect((await store.get(P, ["c0"]))[0]?.id).toBe("c0");
});

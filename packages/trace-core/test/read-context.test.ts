// Long reads yield to other work, and stop when no one waits for them.

import type { Fault } from "@assay/base";
import {
  type CallStore,
  memoryCallStore,
  memoryTraceStores,
  queryCalls,
  readCallsQuery,
} from "@assay/trace-core";
import {
  countCalls,
  countRows,
  queryFeedback,
  queryObjects,
  queryTable,
  type ReadContext,
  readTableStatsBatch,
  resolveRefs,
  unknownCall,
  yieldNow,
} from "@assay/trace-core/internal";
import { mergeSortCooperatively } from "@assay/trace-core/store-parts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const P = "acme/demo";

/** A read context that counts pauses, and aborts at the pause with this number. */
function counting(abortedAt = Number.POSITIVE_INFINITY) {
  const signal = { aborted: false };
  const seen = { pauses: 0 };
  const reading: ReadContext = {
    signal,
    pause: async () => {
      seen.pauses++;
      signal.aborted = seen.pauses >= abortedAt;
    },
  };
  return { reading, seen };
}

const faultOf = (read: Promise<unknown>): Promise<string> =>
  read.then(
    () => "none",
    (fault: Fault) => fault.code,
  );

describe("mergeSortCooperatively", () => {
  // Few keys, so that many are equal and their order shows. Lengths near the size of a run.
  const lengths = fc.constantFrom(0, 1, 2, 511, 512, 513, 1024, 1025, 2000);
  const keys = lengths.chain((length) =>
    fc.array(fc.integer({ min: 0, max: 20 }), { minLength: length, maxLength: length }),
  );

  test("equals a stable sort", async () => {
    await fc.assert(
      fc.asyncProperty(keys, async (list) => {
        const items = list.map((key, place) => ({ key, place }));
        const sorted = await mergeSortCooperatively(items, (a, b) => a.key - b.key);
        expect(sorted).toEqual(items.toSorted((a, b) => a.key - b.key));
      }),
      { numRuns: 60 },
    );
  });

  test("pauses often, and ends when its reader has disconnected", async () => {
    const items = Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 20_011);
    const all = counting();
    await mergeSortCooperatively(items, (a, b) => a - b, all.reading);
    // One pause per sorted run, and one per few thousand comparisons while merging.
    expect(all.seen.pauses).toBeGreaterThan(20_000 / 512 + (6 * 20_000) / 8192);
    const left = counting(10);
    expect(await faultOf(mergeSortCooperatively(items, (a, b) => a - b, left.reading))).toBe("cancelled");
    expect(left.seen.pauses).toBe(10);
  });
});

test("yieldNow does not wait if no pause is due", async () => {
  await yieldNow({ pause: () => undefined });
  await expect(yieldNow({ signal: { aborted: true } })).rejects.toMatchObject({ code: "cancelled" });
});

describe("a reader that has disconnected", () => {
  const gone: ReadContext = { signal: { aborted: true } };

  test("stops the reading of calls", async () => {
    let scanned = 0;
    const signal = { aborted: false };
    const calls: CallStore = {
      ...memoryCallStore(),
      async *scan(project) {
        for (;;) {
          scanned++;
          if (scanned === 3) signal.aborted = true;
          yield [
            { ...unknownCall(project, `c${scanned}`), started_at: "2026-01-01T00:00:00Z", op_name: "f" },
          ];
        }
      },
    };
    const query = readCallsQuery({
      project_id: P,
      sort_by: [{ field: "id", direction: "asc" }],
      query: { $expr: { $not: [{ $eq: [{ $getField: "id" }, { $literal: "c0" }] }] } },
    });
    if (!query.ok) throw new Error("not a query");
    expect(await faultOf(countCalls({ ...memoryTraceStores(), calls }, query.value, { signal }))).toBe(
      "cancelled",
    );
    expect(scanned).toBe(3);
    const sorted = queryCalls({ ...memoryTraceStores(), calls }, query.value, { signal })[
      Symbol.asyncIterator
    ]();
    expect(await faultOf(sorted.next())).toBe("cancelled");
    expect(scanned).toBe(4);
  });

  test("stops counting tables and all other reading", async () => {
    const stores = memoryTraceStores();
    await stores.tables.put(P, "t", ["a"], [{ digest: "a", val: 1 }]);
    const table = { project: P, digest: "t", rowDigests: undefined, limit: undefined, offset: 0 };
    const ref = { project: P, kind: "object", name: "o", digest: "latest", steps: [] } as const;
    const everything = { project: P, expr: undefined, fields: undefined, limit: undefined, offset: 0 };
    const sortBy = [{ path: ["x"], descending: false }];
    const reads = [
      countRows(stores.tables, { project_id: P, digests: ["t"] }, gone),
      queryTable(stores.tables, { ...table, sortBy }, gone),
      queryObjects(stores.objects, { project_id: P }, gone),
      resolveRefs(stores, [ref], { ...gone, allowed: () => true }),
      stores.feedback
        .put([{ ...FEEDBACK, project_id: P }])
        .then(() => queryFeedback(stores.feedback, { ...everything, sortBy: [] }, gone)),
    ];
    expect(await Promise.all(reads.map(faultOf))).toEqual(reads.map(() => "cancelled"));
  });
});

const FEEDBACK = {
  id: "f",
  project_id: P,
  weave_ref: "r",
  feedback_type: "note",
  payload: {},
  creator: null,
  created_at: "2026-01-01T00:00:00Z",
  wb_user_id: null,
  annotation_ref: null,
  runnable_ref: null,
  call_ref: null,
  trigger_ref: null,
};

describe("counting the rows of many tables", () => {
  const ask = (digests: readonly string[]) => readTableStatsBatch({ project_id: P, digests });

  test("is limited to a thousand tables", () => {
    const digests = Array.from({ length: 1001 }, (_, i) => `t${i}`);
    expect(ask(digests.slice(1))).toMatchObject({ ok: true });
    expect(ask(digests)).toMatchObject({
      ok: false,
      issues: [{ code: "too_long", path: ["body", "digests"] }],
    });
  });

  test("reads a table once, even if it is named repeatedly", async () => {
    const { tables } = memoryTraceStores();
    await tables.put(P, "t", ["a", "a"], [{ digest: "a", val: 1 }]);
    let read = 0;
    const store = {
      ...tables,
      table: (project: string, digest: string) => {
        read++;
        return tables.table(project, digest);
      },
    };
    const counted = await countRows(store, { project_id: P, digests: ["t", "t", "none", "t"] });
    expect([counted, read]).toEqual([[{ digest: "t", count: 2 }], 2]);
  });
});

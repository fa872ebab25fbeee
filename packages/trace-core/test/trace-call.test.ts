import { joinCalls, memoryCallStore, type TraceCall } from "@assay/trace-core";
import { unknownCall } from "@assay/trace-core/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const T = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", "2026-01-01T01:00:00+01:00", "no time"];
const time = fc.constantFrom(...T);
const maybeTime = fc.constantFrom(null, ...T);
const text = fc.constantFrom("a", "b");
const maybeText = fc.constantFrom(null, "a", "b");
const json = fc.constantFrom(null, 0, "x", { a: 1 }, [1]);

// Small pools, so that pieces meet and disagree. `whole` is an imported call, which may lack any field.
const start = fc.record({
  op_name: text,
  trace_id: maybeText,
  parent_id: maybeText,
  display_name: maybeText,
  started_at: time,
  inputs: json,
  attributes: json,
  wb_user_id: maybeText,
});
const end = fc.record({ ended_at: time, output: json, summary: json, exception: maybeText });
const rename = fc.record({ display_name: maybeText, renamed_at: time });
const deletion = fc.record({ deleted_at: time });
const whole = fc.record(
  {
    op_name: fc.constantFrom("", "a"),
    parent_id: maybeText,
    display_name: maybeText,
    started_at: maybeTime,
    ended_at: maybeTime,
    output: json,
  },
  { requiredKeys: [] },
);
const piece: fc.Arbitrary<TraceCall> = fc
  .oneof(start, end, rename, deletion, whole)
  .map((fields) => ({ ...unknownCall("acme/demo", "c"), ...fields }));

const runs = { numRuns: Number(process.env["RUNS"] ?? 1000) };

describe("joining pieces of a call", () => {
  test("does not depend on their order", () => {
    fc.assert(
      fc.property(piece, piece, (a, b) => {
        expect(joinCalls(a, b)).toEqual(joinCalls(b, a));
      }),
      runs,
    );
  });

  test("does not depend on how pieces are batched", () => {
    fc.assert(
      fc.property(piece, piece, piece, (a, b, c) => {
        expect(joinCalls(joinCalls(a, b), c)).toEqual(joinCalls(a, joinCalls(b, c)));
      }),
      runs,
    );
  });

  test("does not depend on repetitions", () => {
    fc.assert(
      fc.property(piece, piece, (a, b) => {
        expect(joinCalls(a, a)).toEqual(a);
        expect(joinCalls(joinCalls(a, b), a)).toEqual(joinCalls(a, b));
      }),
      runs,
    );
  });

  test("yields the same call from a store, whatever the order and the batches", async () => {
    const shuffled = fc.array(piece, { minLength: 1, maxLength: 6 }).chain((pieces) =>
      fc.record({
        pieces: fc.constant(pieces),
        other: fc.shuffledSubarray([...pieces, ...pieces], { minLength: pieces.length * 2 }),
        cut: fc.nat(pieces.length),
      }),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ({ pieces, other, cut }) => {
        const [one, two] = [memoryCallStore(), memoryCallStore()];
        await one.put(pieces);
        await two.put(other.slice(0, cut));
        await two.put(other.slice(cut));
        expect(await two.get("acme/demo", ["c"])).toEqual(await one.get("acme/demo", ["c"]));
      }),
      runs,
    );
  });

  const base = { ...unknownCall("acme/demo", "c"), op_name: "f", started_at: T[0]! };

  test("keeps a name that was given after the start, and the last of several", () => {
    const started = { ...base, display_name: "first" };
    const later = { ...unknownCall("acme/demo", "c"), display_name: "second", renamed_at: T[0]! };
    const latest = { ...unknownCall("acme/demo", "c"), display_name: null, renamed_at: T[1]! };
    expect(joinCalls(later, started).display_name).toBe("second");
    expect(joinCalls(joinCalls(latest, started), later).display_name).toBeNull();
  });

  test("replaces a start completely by a later one", () => {
    const again = { ...base, started_at: T[1]!, inputs: { x: 2 }, parent_id: null };
    const joined = joinCalls({ ...base, inputs: { x: 1 }, parent_id: "p" }, again);
    expect([joined.inputs, joined.parent_id]).toEqual([{ x: 2 }, null]);
  });
});

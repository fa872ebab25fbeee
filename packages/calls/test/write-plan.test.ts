import { atOnce, type Steps } from "@assay/base";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CallText, KeptCall } from "../src/index.ts";
import { callOf, textOf } from "../src/testing/index.ts";
import { batchLength, isSameCall, writePlan } from "../src/write-plan.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A call with a list as its output, as text or as bytes, deleted or not. */
const piece = fc
  .record({
    id: fc.constantFrom("a", "b", "é"),
    outputs: fc.uniqueArray(fc.nat({ max: 2 }), { maxLength: 2 }),
    deleted_at: fc.constantFrom(null, null, "2026-01-01T00:00:00Z"),
    asBytes: fc.boolean(),
  })
  .map(({ id, outputs, deleted_at, asBytes }): CallText => {
    const { call, text } = textOf(callOf(id, null, { output: outputs, deleted_at }));
    return { call, text: asBytes ? bytesOf(text) : text };
  });

/** Adds the missing outputs. */
const join = (known: KeptCall, { call }: CallText): CallText => {
  const outputs = [...new Set([...(known.call.output as number[]), ...(call.output as number[])])];
  return textOf({ ...known.call, output: outputs, deleted_at: call.deleted_at });
};

test("a plan has the same effect on existing data as its pieces in order", () => {
  const puts = fc.array(fc.record({ calls: fc.array(piece, { maxLength: 4 }), joins: fc.boolean() }), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(fc.uniqueArray(piece, { selector: ({ call }) => call.id }), puts, (there, puts) => {
      const stored = new Map(there.map((item) => [item.call.id, item]));
      const plan = writePlan<CallText, number>({
        find: (id) => stored.get(id),
        callOf: (item) => item,
        isSame: isSameCall,
      });
      const state = new Map(stored);
      const madeBy = new Map<string, number>();
      for (const [put, { calls, joins }] of puts.entries()) {
        for (const item of calls) {
          // Every other join runs in steps, as for long calls.
          const steps = function* (known: KeptCall, piece: CallText): Steps<CallText> {
            yield;
            return join(known, piece);
          };
          atOnce(plan.add(item, put, joins ? (put % 2 === 0 ? join : steps) : undefined));
          const before = state.get(item.call.id);
          const text = (one: CallText) =>
            typeof one.text === "string" ? one.text : new TextDecoder().decode(one.text);
          const after = joins && before !== undefined ? join({ ...before, text: text(before) }, item) : item;
          if (before === undefined || !isSameCall(before, after)) madeBy.set(item.call.id, put);
          state.set(item.call.id, after);
        }
      }
      const changed = [...state.values()].filter(({ call: { id } }) => {
        const before = stored.get(id);
        return before === undefined || !isSameCall(before, state.get(id)!);
      });
      const planned = plan.changes();
      expect(new Set(planned.map(({ item }) => item.call.id))).toEqual(
        new Set(changed.map(({ call }) => call.id)),
      );
      for (const { item, stored: before, put } of planned) {
        expect(isSameCall(item, state.get(item.call.id)!)).toBe(true);
        expect(before).toBe(stored.get(item.call.id));
        expect(put).toBe(madeBy.get(item.call.id));
      }
    }),
  );
});

test("a batch is a prefix of the queue that fits, or a single larger put", () => {
  const counts = fc.array(fc.constantFrom(0, 1, 4000, 8192, 9000), { maxLength: 8 });
  fc.assert(
    fc.property(counts, fc.nat({ max: 8 }), (counts, unlike) => {
      const queue = counts.map((count, i) => ({ count, kind: i < unlike ? "a" : "b" }));
      const all = [...queue];
      const taken = queue.splice(
        0,
        batchLength(queue, (put, first) => put.kind === first.kind),
      );
      expect([...taken, ...queue]).toEqual(all);
      const size = taken.reduce((sum, { count }) => sum + count, 0);
      expect(taken.length <= 1 || size <= 8192).toBe(true);
      expect(taken.length === 0).toBe(all.length === 0);
      const next = queue[0];
      if (next !== undefined) expect(next.kind !== taken[0]!.kind || size + next.count > 8192).toBe(true);
    }),
  );
});

test("a piece joins a call that is a view with getters, as in an import", () => {
  const { call, text } = textOf(callOf("a", null, { output: [1] }));
  class View implements CallText {
    readonly text = text;
    get call() {
      return call;
    }
  }
  const plan = writePlan<CallText, string>({
    find: () => undefined,
    callOf: (item) => item,
    isSame: isSameCall,
  });
  atOnce(plan.add(new View(), "import", undefined));
  atOnce(plan.add(textOf(callOf("a", null, { output: [2] })), "log", join));
  expect(plan.changes().map(({ item, put }) => [item.call.output, put])).toEqual([[[1, 2], "log"]]);
});

// Late, repeated, unordered and concurrent writes converge to the state that the specification derives from the final
// calls. Nothing is repaired in between.

import { type CallText, type JoinCalls, readCall } from "@assay/calls";
import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import { pushedExecution } from "@assay/eval-engine/pushed";
import { request, world } from "@assay/eval-engine/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { clickHouseStore } from "../src/index.ts";
import { clickhouse, freshDatabase, whole } from "./support.ts";

const RUNS = Math.ceil(Number(process.env["ASSAY_RUNS"] ?? 2000) / 200);

/** Two processes over one database. One clock is an hour behind. */
async function twoStores() {
  const database = await freshDatabase();
  const hour = 3600 * 1e6;
  return [
    clickHouseStore(clickhouse, { database }),
    clickHouseStore(clickhouse, { database, now: () => Date.now() * 1000 - hour }),
  ] as const;
}

test("two concurrent writers converge, with calls in any order and repeated", async () => {
  const stores = await twoStores();
  let n = 0;
  await fc.assert(
    fc.asyncProperty(
      world.chain(({ calls, rows }) =>
        fc.record({
          calls: fc.constant(calls),
          rows: fc.constant(rows),
          writes: fc.array(fc.record({ writer: fc.nat({ max: 1 }), calls: fc.subarray([...calls]) }), {
            maxLength: 4,
          }),
          body: request,
        }),
      ),
      async ({ calls, rows, writes, body }) => {
        const project = `acme/${n++}`;
        const halves = [calls.filter((_, i) => i % 2 === 0), calls.filter((_, i) => i % 2 === 1)];
        await Promise.all([
          ...halves.map((half, i) => stores[i]!.calls.put(project, half.map(whole))),
          ...writes.map((write) => stores[write.writer]!.calls.put(project, write.calls.map(whole))),
          stores[0].rows.put(project, rows),
        ]);
        const source = memoryCalls();
        source.put(project, calls);
        const engine = createEvalEngine({ calls: source, rows: memoryRows(rows) });
        const wanted = await engine.answer(project, body, { plan: "naive" });
        for (const { calls, rows, trials } of stores) {
          const got = await pushedExecution({ trials, calls, rows }).answer(project, body);
          expect(JSON.stringify(got)).toBe(JSON.stringify(wanted));
        }
      },
    ),
    { numRuns: RUNS },
  );
});

/** Joins a piece of a call, with one more field, into the call. */
const joined: JoinCalls = (known, piece) => {
  const text = JSON.stringify({ ...parsed(known), ...parsed(piece) }, (_, value: unknown) => value);
  const sorted = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).sort()));
  const read = readCall(JSON.parse(sorted));
  if (!read.ok) throw new Error(read.issues[0]!.message);
  return { call: read.value, text: sorted };
};

function parsed({ text }: CallText): object {
  return JSON.parse(text.toString()) as object;
}

function piece(id: string, fields: object): CallText {
  const value = { id, ...fields };
  const read = readCall(value);
  if (!read.ok) throw new Error(read.issues[0]!.message);
  return { call: read.value, text: JSON.stringify(value) };
}

test("no piece of a call is lost when two processes join it concurrently", async () => {
  const stores = await twoStores();
  for (let round = 0; round < 10; round++) {
    const project = `acme/pieces-${round}`;
    const fields: readonly object[] = [
      { op_name: "Evaluation.predict_and_score" },
      { parent_id: "e" },
      { inputs: { example: { q: round } } },
      { output: { output: "x", scores: { s: round } } },
      { started_at: "2026-01-01T00:00:00Z" },
    ];
    await Promise.all(fields.map((one, i) => stores[i % 2]!.calls.put(project, [piece("t", one)], joined)));
    const { calls, rows, trials } = stores[0];
    const answer = await pushedExecution({ trials, calls, rows }).answer(project, {
      evaluation_call_ids: ["e"],
      include_raw_data_rows: true,
    });
    expect(answer).toMatchObject({
      value: {
        total_rows: 1,
        rows: [{ raw_data_row: { q: round }, evaluations: [{ trials: [{ scores: { s: round } }] }] }],
      },
    });
  }
});

// A write that fails at any of its inserts is not acknowledged. The caller repeats it, and the result is as if it had
// never failed. Nothing is repaired in between.

import { Fault } from "@assay/base";
import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import { pushedExecution } from "@assay/eval-engine/pushed";
import { request, world } from "@assay/eval-engine/testing";
import { check, PATIENCE } from "@assay/testing/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ClickHouse, clickHouseStore } from "../src/index.ts";
import { clickhouse, freshDatabase, whole } from "./support.ts";

const RUNS = Math.ceil(Number(process.env["ASSAY_RUNS"] ?? 1000) / 200);

// More inserts than any write makes.
const INSERTS = 8;

/** ClickHouse with one insert that can be made to fail, before or after it takes effect. */
function faulty(): {
  readonly faulty: ClickHouse;
  /** Makes the insert after `skipped` others fail. */
  fail(skipped: number, afterwards: boolean): void;
  /** Stops failing; returns whether an insert has failed. */
  stop(): boolean;
} {
  let left = -1;
  let afterwards = false;
  const none = (): Fault => new Fault("unavailable", "no answer");
  return {
    faulty: {
      ...clickhouse,
      async insert(table, lines) {
        // An insert without lines sends nothing.
        const fails = lines.length > 0 && left-- === 0;
        if (fails && !afterwards) throw none();
        await clickhouse.insert(table, lines);
        if (fails) throw none();
      },
    },
    fail(skipped, late) {
      left = skipped;
      afterwards = late;
    },
    stop() {
      const failed = left < 0;
      left = -1;
      return failed;
    },
  };
}

const P = "acme/demo";

const TRIAL = {
  id: "t",
  parent_id: "e",
  op_name: "Evaluation.predict_and_score",
  inputs: { example: { q: 1 } },
  output: { output: "x", scores: { s: 1 } },
};
const [PREDICT, SCORE] = ["predict", "score"].map((id) => ({ id, parent_id: "t", op_name: `Model.${id}` }));

async function answered(store: ReturnType<typeof clickHouseStore>, project = P) {
  const answer = await pushedExecution(store).answer(project, { evaluation_call_ids: ["e"] });
  if (!answer.ok) throw new Error(JSON.stringify(answer.issues));
  return answer.value.rows.flatMap((row) => row.evaluations.flatMap(({ trials }) => trials));
}

test.each([false, true])("repeating a put writes the missing parts (insert done: %s)", async (afterwards) => {
  const { faulty: connection, fail, stop } = faulty();
  const store = clickHouseStore(connection, { database: await freshDatabase() });
  const calls = [TRIAL, PREDICT!, SCORE!].map(whole);
  let failures = 0;
  for (let skipped = 0; skipped < INSERTS; skipped++) {
    const project = `acme/${skipped}`;
    fail(skipped, afterwards);
    const first = await store.calls.put(project, calls).catch((error: unknown) => error);
    if (!stop()) {
      expect(first).toBe(3);
      break;
    }
    failures++;
    expect(first).toBeInstanceOf(Fault);
    await store.calls.put(project, calls);
    expect(await answered(store, project)).toMatchObject([{ scores: { s: 1 }, predict_call_id: "predict" }]);
    expect(await store.calls.put(project, calls)).toBe(0);
  }
  expect(failures).toBeGreaterThanOrEqual(5);
});

test("putting another call of a trial writes what is missing of it", async () => {
  const { faulty: connection, fail, stop } = faulty();
  const store = clickHouseStore(connection, { database: await freshDatabase() });
  let failures = 0;
  for (let skipped = 0; skipped < INSERTS; skipped++) {
    const id = `t${skipped}`;
    fail(skipped, false);
    const put = store.calls.put(P, [whole({ ...TRIAL, id })]);
    const failed = await put.then(
      () => false,
      () => true,
    );
    if (!stop()) break;
    expect(failed).toBe(true);
    failures++;
    await store.calls.put(P, [whole({ ...PREDICT!, id: `p${skipped}`, parent_id: id })]);
    const known = await store.calls.calls(P, [id]);
    // The failed call is stored completely or not at all.
    const found = (await answered(store)).filter(({ predict_call_id }) => predict_call_id === `p${skipped}`);
    expect(found).toHaveLength(known[0] === undefined ? 0 : 1);
  }
  expect(failures).toBeGreaterThanOrEqual(5);
});

test("repeating a deletion completes it", async () => {
  const { faulty: connection, fail, stop } = faulty();
  const store = clickHouseStore(connection, { database: await freshDatabase() });
  for (let skipped = 0; skipped < INSERTS; skipped++) {
    const project = `acme/${skipped}`;
    await store.calls.put(project, [whole(TRIAL)]);
    fail(skipped, false);
    const at = "2026-01-01T00:00:00Z";
    const first = await store.calls.delete(project, ["t"], at).catch((error: unknown) => error);
    if (!stop()) {
      expect(first).toBe(1);
      return;
    }
    expect(await store.calls.delete(project, ["t"], at)).toBe(1);
    expect(await answered(store, project)).toEqual([]);
    expect(await store.calls.delete(project, ["t"], at)).toBe(0);
  }
  expect.unreachable("an insert always failed");
});

test(
  "a failed and repeated write has the same result as one that never failed, in process too",
  async () => {
    const database = await freshDatabase();
    const { faulty: connection, fail, stop } = faulty();
    const store = clickHouseStore(connection, { database });
    const inProcess = createEvalEngine({ calls: store.calls, rows: store.rows });
    let n = 0;
    const cases = world.chain(({ calls, rows }) =>
      fc.record({
        calls: fc.constant(calls),
        rows: fc.constant(rows),
        // An incomplete call may have another row, another parent, or not be a trial.
        early: fc.subarray([...calls]),
        moved: fc.boolean(),
        other: fc.subarray([...calls]),
        skipped: fc.nat({ max: INSERTS }),
        afterwards: fc.boolean(),
        requests: fc.array(request, { minLength: 2, maxLength: 2, size: "max" }),
      }),
    );
    await check(
      cases,
      async ({ calls, rows, early, moved, other, skipped, afterwards, requests }) => {
        const project = `acme/${n++}`;
        const before = early.map((call) => ({
          ...call,
          inputs: { example: `before ${call.id}` },
          parent_id: moved ? call.parent_id : "e2",
          op_name: moved ? "Evaluation.predict_and_score" : (call.op_name ?? ""),
        }));
        await store.calls.put(project, before.map(whole));
        for (const body of requests) await inProcess.answer(project, body);
        fail(skipped, afterwards);
        await Promise.allSettled([store.calls.put(project, calls.map(whole)), store.rows.put(project, rows)]);
        stop();
        await store.calls.put(project, other.map(whole));
        for (const body of requests) await inProcess.answer(project, body);
        await store.calls.put(project, calls.map(whole));
        await store.rows.put(project, rows);
        const source = memoryCalls();
        source.put(project, calls);
        const specification = createEvalEngine({ calls: source, rows: memoryRows(rows) });
        for (const body of requests) {
          const wanted = JSON.stringify(await specification.answer(project, body, { plan: "naive" }));
          expect(JSON.stringify(await pushedExecution(store).answer(project, body))).toBe(wanted);
          expect(JSON.stringify(await inProcess.answer(project, body))).toBe(wanted);
        }
      },
      { numRuns: RUNS, seed: process.env["ASSAY_SEED"] ?? "20261121" },
    );
  },
  PATIENCE,
);

// The same answers on a cluster: rows grouped on their shards, put together where the question came in.

import { createEvalEngine, memoryCalls, memoryRows, pushedExecution } from "@assay/eval-engine";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { request, world } from "../../eval-engine/test/arbitrary.ts";
import { check, PATIENCE } from "../../eval-engine/test/property.ts";
import { clickHouseStore, migrate } from "../src/index.ts";
import { CLUSTER, openCluster } from "./cluster.ts";
import { testStoreLaws } from "./store-laws.ts";
import { whole } from "./whole.ts";

const cluster = openCluster();
const { clickhouse } = cluster;

afterAll(() => cluster.close());

const RUNS = Math.ceil(Number(process.env["ASSAY_RUNS"] ?? 2000) / 250);

async function freshStore() {
  return clickHouseStore(clickhouse, { database: await cluster.database(), cluster: CLUSTER });
}

test("every table is made on all servers, and is over all shards", async () => {
  const database = await cluster.database();
  expect(cluster.commands.every((sql) => sql.includes(` ON CLUSTER '${CLUSTER}'`))).toBe(true);
  const engines = await clickhouse.query({
    sql: "SELECT engine, count() FROM system.tables WHERE database = {database:String} GROUP BY engine ORDER BY engine",
    params: { database },
  });
  expect(engines.map(([engine, count]) => [engine, Number(count)])).toEqual([
    ["AggregatingMergeTree", 1],
    ["Distributed", 7],
    ["ReplacingMergeTree", 6],
  ]);
  expect(await migrate(clickhouse, database)).toMatchObject({ taken: 0 });
});

test("a cluster that the server does not know, and tables that are elsewhere, are said", async () => {
  await expect(migrate(clickhouse, "other", { cluster: "three" })).rejects.toMatchObject({ code: "missing" });
  await expect(migrate(clickhouse, "other", { cluster: "x'); DROP" })).rejects.toMatchObject({
    code: "missing",
  });
  // Without quotes it is not one of the statements that are put to this process as if it were the cluster.
  await expect(clickhouse.command(`CREATE DATABASE other ON CLUSTER ${CLUSTER}`)).rejects.toMatchObject({
    code: "missing",
    message: expect.stringContaining("keeper"),
  });
  const database = await cluster.database();
  await expect(migrate(clickhouse, database, { cluster: "three" })).rejects.toMatchObject({
    code: "conflict",
  });
});

testStoreLaws(freshStore);

test(
  "two writers, with calls in any order and trials whose rows change, end in what the specification says",
  async () => {
    const database = await cluster.database();
    const hour = 3600 * 1e6;
    const stores = [0, hour].map((behind) =>
      clickHouseStore(clickhouse, { database, cluster: CLUSTER, now: () => Date.now() * 1000 - behind }),
    );
    let n = 0;
    const other = world.chain(({ calls, rows }) =>
      fc.record({
        calls: fc.constant(calls),
        rows: fc.constant(rows),
        // Before it is whole, a call may have another row, and be under another parent.
        early: fc.subarray([...calls]),
        moved: fc.boolean(),
        requests: fc.array(request, { minLength: 2, maxLength: 2, size: "max" }),
      }),
    );
    await check(
      other,
      async ({ calls, rows, early, moved, requests }) => {
        const project = `acme/${n++}`;
        const before = early.map((call) => ({
          ...call,
          inputs: { example: `before ${call.id}` },
          parent_id: moved ? call.parent_id : "e2",
        }));
        await stores[1]!.calls.put(project, before.map(whole));
        await Promise.all(
          [0, 1].map((half) =>
            stores[half]!.calls.put(project, calls.filter((_, i) => i % 2 === half).map(whole)),
          ),
        );
        await stores[0]!.rows.put(project, rows);
        const source = memoryCalls();
        source.put(project, calls);
        const engine = createEvalEngine({ calls: source, rows: memoryRows(rows) });
        for (const body of requests) {
          const wanted = JSON.stringify(await engine.answer(project, body, { plan: "naive" }));
          for (const { calls, rows, trials } of stores)
            expect(JSON.stringify(await pushedExecution({ trials, calls, rows }).answer(project, body))).toBe(
              wanted,
            );
        }
      },
      { numRuns: RUNS, seed: process.env["ASSAY_SEED"] ?? "20261121" },
    );
  },
  PATIENCE,
);

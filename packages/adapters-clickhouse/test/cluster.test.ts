// The same answers on a cluster of real servers: each shard groups its rows, and the server that received the query
// merges them.

import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import { pushedExecution } from "@assay/eval-engine/pushed";
import { ANY_CALLS, isPushed, questions, request, world } from "@assay/eval-engine/testing";
import { noServer } from "@assay/testing/clickhouse-server.mjs";
import { check, PATIENCE } from "@assay/testing/property";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clickHouseStore, migrateClickHouse } from "../src/index.ts";
import { CLUSTER, type Cluster, openCluster } from "./cluster.ts";
import { emptyTables } from "./empty-tables.ts";
import { testStoreLaws } from "./store-laws.ts";
import { whole } from "./whole.ts";

const RUNS = Math.ceil(Number(process.env["ASSAY_RUNS"] ?? 1000) / 500);

describe.skipIf(noServer !== undefined)("on two shards", () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await openCluster();
  });

  afterAll(() => cluster.close());

  /** The stores of a database through each of the servers. The second one's clock is an hour behind. */
  async function freshStores() {
    const database = await cluster.database();
    const hour = 3600 * 1e6;
    return cluster.shards.map(({ clickhouse }, at) =>
      clickHouseStore(clickhouse, { database, cluster: CLUSTER, now: () => Date.now() * 1000 - at * hour }),
    );
  }

  test("every table is created on all servers and spans all shards", async () => {
    const database = await cluster.database();
    expect(cluster.commands.every((sql) => sql.includes(` ON CLUSTER '${CLUSTER}'`))).toBe(true);
    for (const { clickhouse } of cluster.shards) {
      const engines = await clickhouse.query({
        sql: "SELECT engine, count() FROM system.tables WHERE database = {database:String} GROUP BY engine ORDER BY engine",
        params: { database },
      });
      expect(engines.map(([engine, count]) => [engine, Number(count)])).toEqual([
        ["AggregatingMergeTree", 1],
        ["Distributed", 8],
        ["ReplacingMergeTree", 7],
      ]);
      expect(await migrateClickHouse(clickhouse, database)).toMatchObject({ taken: 0 });
    }
  });

  test("an unknown cluster and tables on another cluster are reported", async () => {
    const [{ clickhouse, plain }] = cluster.shards;
    for (const name of ["three", "x'); DROP"])
      await expect(migrateClickHouse(clickhouse, "other", { cluster: name })).rejects.toMatchObject({
        code: "missing",
      });
    const database = await cluster.database();
    await expect(migrateClickHouse(clickhouse, database, { cluster: "three" })).rejects.toMatchObject({
      code: "conflict",
    });
    // These servers have no keeper, and report it.
    await expect(migrateClickHouse(plain, "other", { cluster: CLUSTER })).rejects.toMatchObject({
      code: "missing",
      message: expect.stringContaining("keeper"),
    });
  });

  describe("through one of its servers", () => {
    // All laws share one database, emptied before each: creating tables on two servers takes longer than most laws.
    let database: Promise<string> | undefined;
    testStoreLaws(async () => {
      database ??= cluster.database();
      const name = await database;
      for (const { plain } of cluster.shards) await emptyTables(plain, name);
      return clickHouseStore(cluster.shards[0].clickhouse, { database: name, cluster: CLUSTER });
    });
  });

  test(
    "two writers, with calls in any order and trials whose rows change, end in the specified state",
    async () => {
      const stores = await freshStores();
      let n = 0;
      const other = world.chain(({ calls, rows }) =>
        fc.record({
          calls: fc.constant(calls),
          rows: fc.constant(rows),
          // An incomplete call may have another row and another parent.
          early: fc.subarray([...calls]),
          moved: fc.boolean(),
          requests: fc.array(request, { minLength: 2, maxLength: 2, size: "max" }),
          question: questions(ANY_CALLS).filter(isPushed),
        }),
      );
      await check(
        other,
        async ({ calls, rows, early, moved, requests, question: [kind, asked] }) => {
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
            for (const store of stores)
              expect(JSON.stringify(await pushedExecution(store).answer(project, body))).toBe(wanted);
          }
          const verdict = await engine.answerStatistics(kind, project, asked, { plan: "naive" });
          for (const store of stores)
            expect(JSON.stringify(await pushedExecution(store).answerStatistics(kind, project, asked))).toBe(
              JSON.stringify(verdict),
            );
        },
        { numRuns: RUNS, seed: process.env["ASSAY_SEED"] ?? "20261121" },
      );
    },
    PATIENCE,
  );

  const P = "acme/demo";
  const BODY = { evaluation_call_ids: ["e"], include_raw_data_rows: true, include_summary: true };
  const trials = Array.from({ length: 40 }, (_, n) =>
    whole({
      id: `t${n}`,
      parent_id: "e",
      op_name: "Evaluation.predict_and_score",
      inputs: { example: { q: n } },
      output: { output: "x", scores: { s: n } },
    }),
  );

  test("each shard has its own rows, and no row is on both", async () => {
    const database = await cluster.database();
    const store = clickHouseStore(cluster.shards[0].clickhouse, { database, cluster: CLUSTER });
    await store.calls.put(P, trials);
    const held = await Promise.all(
      cluster.shards.map(async ({ plain }) => {
        const rows = await plain.query({
          sql: `SELECT digest FROM ${database}.trials_local FINAL`,
          params: {},
        });
        return rows.map(([digest]) => digest);
      }),
    );
    expect(held.every((digests) => digests.length > 5)).toBe(true);
    expect(new Set(held.flat()).size).toBe(trials.length);
    expect(held.flat()).toHaveLength(trials.length);
  });

  test("while a shard is down, nothing is answered and no write is acknowledged; afterwards everything works as before", async () => {
    const database = await cluster.database();
    const [up, down] = cluster.shards;
    const store = clickHouseStore(up.clickhouse, { database, cluster: CLUSTER });
    await store.calls.put(P, trials);
    const wanted = await pushedExecution(store).answer(P, BODY);
    expect(wanted).toMatchObject({ value: { total_rows: trials.length } });
    const more = trials.map(({ call }) => whole({ ...call, id: `${call.id} again`, parent_id: "e2" }));
    const unavailable = {
      code: "unavailable",
      message: "a server of the ClickHouse cluster does not answer",
    };
    await down.server.kill();
    try {
      await expect(pushedExecution(store).answer(P, BODY)).rejects.toMatchObject(unavailable);
      await expect(createEvalEngine(store).answer(P, BODY)).rejects.toMatchObject(unavailable);
      await expect(store.evaluations(P)).rejects.toMatchObject(unavailable);
      await expect(store.calls.put(P, more)).rejects.toMatchObject(unavailable);
    } finally {
      await down.server.restart();
    }
    expect(await pushedExecution(store).answer(P, BODY)).toEqual(wanted);
    await store.calls.put(P, more);
    const both = await pushedExecution(store).answer(P, { ...BODY, evaluation_call_ids: ["e", "e2"] });
    expect(both).toMatchObject({ value: { total_rows: trials.length } });
    expect(await pushedExecution(store).answer(P, { ...BODY, evaluation_call_ids: ["e2"] })).toMatchObject({
      value: { total_rows: trials.length },
    });
  });

  test("a shard that goes down during an answer ends it", async () => {
    const [up, down] = cluster.shards;
    const part = "SELECT sleepEachRow(0.1) AS x FROM numbers(600) SETTINGS max_block_size = 1";
    const asked = up.clickhouse.query({
      sql: `SELECT sum(x) FROM cluster('${CLUSTER}', view(${part}))`,
      params: {},
    });
    const ended = expect(asked).rejects.toMatchObject({
      code: "unavailable",
      message: "a server of the ClickHouse cluster stopped in the middle of its answer",
    });
    const sql = "SELECT count() FROM system.processes WHERE is_initial_query = 0";
    const running = async (): Promise<boolean> => {
      const [[found]] = (await down.plain.query({ sql, params: {} })) as [[string]];
      return Number(found) > 0;
    };
    while (!(await running())) await new Promise(setImmediate);
    await down.server.kill();
    try {
      await ended;
    } finally {
      await down.server.restart();
    }
  });
});

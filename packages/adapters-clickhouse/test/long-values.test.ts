// A server limits each parameter to 128 KiB, but longer lists and texts must reach it completely. This needs a server,
// because ClickHouse in process has no such limit.

import { createEvalEngine } from "@assay/eval-engine";
import { pushedExecution } from "@assay/eval-engine/pushed";
import { noTestServer, testServer } from "@assay/testing/clickhouse-server.mjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Connection, connectClickHouse } from "../src/connection/connect.ts";
import { clickHouseStore, migrateClickHouse } from "../src/index.ts";
import { whole } from "./whole.ts";

const P = "acme/long";
const LONG = `${"☃𝄞'\\".repeat(13_000)}!`;
const LIMIT = 128 * 1024;
const ids = Array.from({ length: 5000 }, (_, i) => `${String(i).padStart(6, "0")}${"-call".repeat(8)}`);

describe.skipIf(noTestServer)("over HTTP", () => {
  const database = `assay_long_${process.pid}`;
  let server: Awaited<ReturnType<typeof testServer>>;
  let connection: Connection;

  beforeAll(async () => {
    server = await testServer();
    connection = connectClickHouse(server.url.replace(/^http/, "clickhouse"));
    await migrateClickHouse(connection.clickhouse, database);
  });

  afterAll(async () => {
    await connection.clickhouse.command(`DROP DATABASE IF EXISTS ${database}`);
    await connection.close();
    await server.stop();
  });

  test("many calls at once, long lists of literals and long literals work", async () => {
    const store = clickHouseStore(connection.clickhouse, { database });
    const calls = ids.map((id, i) =>
      whole({
        id,
        parent_id: "e",
        op_name: "Evaluation.predict_and_score",
        inputs: { example: `row ${i}` },
        output: { output: { said: i === 7 ? LONG : id }, scores: { number: i / 3 } },
      }),
    );
    expect(ids.join().length).toBeGreaterThan(LIMIT);
    expect(Buffer.byteLength(LONG.replaceAll(/['\\]/g, "\\$&"))).toBeGreaterThan(LIMIT);
    expect(await store.calls.put(P, calls)).toBe(ids.length);
    expect(await store.calls.put(P, calls)).toBe(0);

    const [pushed, inProcess] = [pushedExecution(store), createEvalEngine(store)];
    const said = { $getField: "outputs.said" };
    const literals = (values: readonly (string | number)[]) => values.map(($literal) => ({ $literal }));
    const numbers = Array.from({ length: 4000 }, (_, i) => i / 7);
    for (const [$expr, rows] of [
      [{ $in: [said, literals(ids.slice(0, 4000))] }, 3999],
      [{ $in: [said, literals([LONG, "other"])] }, 1],
      [{ $eq: [said, { $literal: LONG }] }, 1],
      [{ $in: [{ $getField: "scores.number" }, literals(numbers)] }, 572],
    ] as const) {
      const body = {
        evaluation_call_ids: ["e"],
        filters: [{ query: { $expr } }],
        include_summary: true,
        limit: 3,
      };
      const answer = await pushed.answer(P, body);
      expect(answer).toEqual(await inProcess.answer(P, body));
      expect(answer).toMatchObject({ ok: true, value: { total_rows: rows } });
    }
  });
});

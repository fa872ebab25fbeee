// Whole answers are held in memory, so their size is limited, and long records are read in smaller batches.

import { noTestServer, testServer } from "@assay/testing/clickhouse-server.mjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Connection, connectClickHouse } from "../src/connection/connect.ts";
import { type ClickHouse, clickHouseStore, migrateClickHouse } from "../src/index.ts";
import { whole } from "./whole.ts";

const P = "acme/long-answers";
const HELD = 64 * 2 ** 20;
/** A small memory limit, in bytes, for records read together. */
const LESS = 50_000;

async function allOf<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

describe.skipIf(noTestServer)("over HTTP", () => {
  const database = `assay_long_answers_${process.pid}`;
  let server: Awaited<ReturnType<typeof testServer>>;
  let connection: Connection;
  let clickhouse: ClickHouse;

  beforeAll(async () => {
    server = await testServer();
    connection = connectClickHouse(server.url.replace(/^http/, "clickhouse"));
    clickhouse = connection.clickhouse;
    await migrateClickHouse(clickhouse, database);
  });

  afterAll(async () => {
    await clickhouse.command(`DROP DATABASE IF EXISTS ${database}`);
    await connection.close();
    await server.stop();
  });

  test("an answer above the memory limit is a fault, and one below is returned", async () => {
    const statement = { sql: "SELECT repeat('x', 1000 + number) FROM numbers(100)", params: {} };
    await expect(clickhouse.query(statement, { answerBytes: LESS })).rejects.toMatchObject({
      code: "exhausted",
      message: expect.stringContaining("exceeds the memory limit"),
    });
    expect(await clickhouse.query(statement, { answerBytes: 4 * LESS })).toHaveLength(100);
  });

  test("long calls and rows are read completely, in order and in smaller batches", async () => {
    const ids = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, "0"));
    const sizes = ids.map((_, i) => (i === 30 ? 2 * LESS : i % 7 === 0 ? LESS / 4 : 100));
    const { calls, rows } = clickHouseStore(clickhouse, { database });
    const val = (i: number) => ({ said: "x".repeat(sizes[i]!) });
    await calls.put(
      P,
      ids.map((id, i) => whole({ id, output: val(i) })),
    );
    await rows.put(
      P,
      ids.map((digest, i) => ({ digest, val: val(i) })),
    );

    const less: ClickHouse = {
      ...clickhouse,
      query: (statement, options = {}) =>
        clickhouse.query(statement, {
          ...options,
          answerBytes: options.answerBytes === HELD ? LESS : options.answerBytes,
        }),
    };
    const read = clickHouseStore(less, { database });
    const pages = await allOf(read.calls.scan(P));
    expect(pages.flat().map(({ call }) => call.id)).toEqual(ids);
    expect(pages.flat().map(({ call }) => call.output)).toEqual(ids.map((_, i) => val(i)));
    for (const page of pages)
      expect(page.length === 1 || page.reduce((sum, { text }) => sum + text.length, 0) <= LESS).toBe(true);
    for (const names of [undefined, ids]) {
      const lines = await allOf(read.rows.scan(P, names));
      expect(lines.length).toBeGreaterThan(3);
      expect(lines.flat()).toHaveLength(ids.length);
      for (const [i, line] of lines.flat().entries()) expect(JSON.stringify(line)).toContain(val(i).said);
    }
  });
});

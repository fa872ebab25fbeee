// Limits and cancellation reach the server: its own system tables show what it is running and how queries ended.

import { noTestServer, testServer } from "@assay/testing/clickhouse-server.mjs";
import { type ClickHouseClient, createClient } from "@clickhouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Connection, connectClickHouse } from "../src/connection/connect.ts";
import type { QueryLimits } from "../src/index.ts";

// Runs for a minute unless stopped. The name identifies the query in the server's tables.
function slow(name: string) {
  const sql = `SELECT sum(sleepEachRow(0.1)) FROM numbers(600) AS ${name} SETTINGS max_block_size = 1`;
  return { sql, params: {} };
}

async function codeOf(run: Promise<unknown>): Promise<unknown> {
  return run.then(
    () => "answered",
    (error: unknown) => (error as { readonly code?: unknown }).code,
  );
}

describe.skipIf(noTestServer)("over HTTP", () => {
  let server: Awaited<ReturnType<typeof testServer>>;
  /** A separate client that observes the server. */
  let onlooker: ClickHouseClient;
  const connections: Connection[] = [];

  beforeAll(async () => {
    server = await testServer();
    onlooker = createClient({ url: server.url });
  });

  afterAll(async () => {
    await Promise.all([onlooker, ...connections].map((one) => one.close()));
    await server.stop();
  });

  function connect(limits: QueryLimits): Connection["clickhouse"] {
    const connection = connectClickHouse(server.url.replace(/^http/, "clickhouse"), limits);
    connections.push(connection);
    return connection.clickhouse;
  }

  async function seen(name: string, sql: string): Promise<readonly unknown[]> {
    const query_params = { part: `AS ${name} ` };
    const result = await onlooker.query({ query: sql, query_params, format: "JSONCompact" });
    return (await result.json<readonly unknown[]>()).data.flat();
  }
  const running = (name: string) =>
    seen(
      name,
      "SELECT query_id FROM system.processes WHERE query_id != queryID() AND position(query, {part:String}) > 0",
    );
  const until = async (name: string, runs: boolean): Promise<void> => {
    while ((await running(name)).length > 0 !== runs) await new Promise(setImmediate);
  };
  /** The error codes with which the server ended such queries. */
  const errors = async (name: string): Promise<readonly unknown[]> => {
    await onlooker.command({ query: "SYSTEM FLUSH LOGS" });
    const where = "type = 'ExceptionWhileProcessing' AND position(query, {part:String}) > 0";
    return seen(name, `SELECT exception_code FROM system.query_log WHERE ${where}`);
  };

  test("the server cancels a query that takes too long", async () => {
    const name = `late${process.pid}`;
    expect(await codeOf(connect({ seconds: 1 }).query(slow(name)))).toBe("timeout");
    expect(await running(name)).toEqual([]);
    expect(await errors(name)).toEqual([159]);
  });

  test("an error after the first rows of a query is reported too", async () => {
    const rows =
      "SELECT repeat('x', 100000), sleepEachRow(0.01) FROM numbers(6000) SETTINGS max_block_size = 1";
    expect(await codeOf(connect({ seconds: 1 }).query({ sql: rows, params: {} }))).toBe("timeout");
  });

  test("a query that needs too much memory is refused by the server; with enough, it is answered", async () => {
    const name = `large${process.pid}`;
    const large = {
      sql: `SELECT length(groupArray(toString(number))) FROM numbers(1000000) AS ${name} `,
      params: {},
    };
    expect(await codeOf(connect({ memory: 2e6 }).query(large))).toBe("exhausted");
    expect(await errors(name)).toEqual([241]);
    expect(await codeOf(connect({ memory: 1e9 }).query(large))).toBe("answered");
  });

  test("an aborted query ends at once here, and is killed on the server", async () => {
    const name = `left${process.pid}`;
    const clickhouse = connect({});
    const leave = new AbortController();
    const from = performance.now();
    const asked = codeOf(clickhouse.query(slow(name), { signal: leave.signal }));
    await until(name, true);
    leave.abort();
    expect(await asked).toBe("cancelled");
    await until(name, false);
    expect(performance.now() - from).toBeLessThan(30_000);
    expect(await errors(name)).toEqual([394]);
    expect(await codeOf(clickhouse.query(slow(name), { signal: leave.signal }))).toBe("cancelled");
  });
});

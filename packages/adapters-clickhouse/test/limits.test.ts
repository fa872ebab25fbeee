// Limits and cancellation reach the server: over HTTP, with ClickHouse itself behind it.

import { afterAll, beforeAll, expect, test } from "vitest";
import { connectClickHouse } from "../src/index.ts";
import { chdbServer } from "./chdb-server.mjs";

let server: Awaited<ReturnType<typeof chdbServer>>;

beforeAll(async () => {
  server = await chdbServer();
});

afterAll(() => server.close());

const SLOW = {
  sql: "SELECT sum(sleepEachRow(0.1)) FROM numbers(30) SETTINGS max_block_size = 1",
  params: {},
};

async function codeOf(run: Promise<unknown>): Promise<unknown> {
  return run.then(
    () => "answered",
    (error: unknown) => (error as { readonly code?: unknown }).code,
  );
}

test("a query that takes too long is given up by the server", async () => {
  const { clickhouse, close } = connectClickHouse(`clickhouse://127.0.0.1:${server.port}`, { seconds: 1 });
  expect(await codeOf(clickhouse.query(SLOW))).toBe("timeout");
  await close();
});

test("a query that needs too much memory is refused by the server", async () => {
  const { clickhouse, close } = connectClickHouse(`clickhouse://127.0.0.1:${server.port}`, { memory: 2e6 });
  const large = { sql: "SELECT length(groupArray(toString(number))) FROM numbers(1000000)", params: {} };
  expect(await codeOf(clickhouse.query(large))).toBe("exhausted");
  await close();
});

test("a query that nobody waits for any more ends at once here, and is killed there", async () => {
  const { clickhouse, close } = connectClickHouse(`clickhouse://127.0.0.1:${server.port}`);
  const leave = new AbortController();
  const from = performance.now();
  const asked = codeOf(clickhouse.query(SLOW, { signal: leave.signal }));
  while (!server.statements.some((sql) => sql.includes("sleepEachRow"))) await new Promise(setImmediate);
  leave.abort();
  expect(await asked).toBe("cancelled");
  expect(performance.now() - from).toBeLessThan(2500);
  while (!server.statements.some((sql) => sql.startsWith("KILL QUERY"))) await new Promise(setImmediate);
  expect(await codeOf(clickhouse.query(SLOW, { signal: leave.signal }))).toBe("cancelled");
  await close();
});

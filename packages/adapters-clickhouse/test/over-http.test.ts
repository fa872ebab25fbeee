// The suites that run on ClickHouse in process, over HTTP on a real server: fewer cases, the same promises. All cases run
// there with `npm run test:clickhouse-server`.

import { noServer, startServer } from "@assay/testing/clickhouse-server.mjs";
import { afterAll, describe, test } from "vitest";

const CASES = 40;

// All of them run on the server that is named, on their own.
if (process.env["ASSAY_TEST_CLICKHOUSE_URL"] !== undefined || noServer !== undefined) {
  test.skip("runs where a server can be started, and none is named");
} else {
  const server = await startServer();
  // After what the suites do at their end, which is asked for later and done sooner.
  afterAll(() => server.stop());
  process.env["ASSAY_TEST_CLICKHOUSE_URL"] = server.url;
  process.env["ASSAY_RUNS"] = String(Math.min(CASES, Number(process.env["ASSAY_RUNS"] ?? CASES)));
  describe("over HTTP", async () => {
    await import("./laws.test.ts");
    await import("./vectors.test.ts");
    await import("./injection.test.ts");
    await import("./converge.test.ts");
    await import("./failed-writes.test.ts");
    await import("./naive-is-clickhouse.test.ts");
  });
}

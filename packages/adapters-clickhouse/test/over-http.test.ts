// Suites on a real server, over HTTP: those that are of the wire or of concurrent writers with all their cases; those that
// run on ClickHouse in process too with fewer. All cases run there with `npm run test:clickhouse-server`.

import { noTestServer, testServer } from "@assay/testing/clickhouse-server.mjs";
import { afterAll, describe, test } from "vitest";

const CASES = 40;

if (noTestServer) {
  test.skip("runs where a server is named or can be started");
} else {
  const named = process.env["ASSAY_TEST_CLICKHOUSE_URL"] !== undefined;
  const runs = process.env["ASSAY_RUNS"];
  const server = await testServer();
  // After what the suites do at their end, which is asked for later and done sooner.
  afterAll(() => server.stop());
  process.env["ASSAY_TEST_CLICKHOUSE_URL"] = server.url;
  describe("over HTTP", async () => {
    await import("./injection.ts");
    await import("./converge.ts");
    await import("./failed-writes.ts");
    // On a server that is named, these run on their own.
    if (named) return;
    process.env["ASSAY_RUNS"] = String(Math.min(CASES, Number(runs ?? CASES)));
    await import("./laws.test.ts");
    await import("./vectors.test.ts");
    await import("./naive-is-clickhouse.test.ts");
  });
}

// Suites on a real server, over HTTP. Those about the wire or concurrent writers run all their cases; those that also
// run on ClickHouse in process run fewer. `npm run test:clickhouse-server` runs all cases.

import { noTestServer, testServer } from "@assay/testing/clickhouse-server.mjs";
import { afterAll, describe, test } from "vitest";

const CASES = 40;

if (noTestServer) {
  test.skip("runs if a server is given or can be started");
} else {
  const named = process.env["ASSAY_TEST_CLICKHOUSE_URL"] !== undefined;
  const runs = process.env["ASSAY_RUNS"];
  const server = await testServer();
  // Registered first, so that it runs after the hooks of the suites.
  afterAll(() => server.stop());
  process.env["ASSAY_TEST_CLICKHOUSE_URL"] = server.url;
  describe("over HTTP", async () => {
    await import("./injection.ts");
    await import("./converge.ts");
    await import("./failed-writes.ts");
    // On a given server, these run separately.
    if (named) return;
    process.env["ASSAY_RUNS"] = String(Math.min(CASES, Number(runs ?? CASES)));
    await import("./laws.test.ts");
    await import("./vectors.test.ts");
    await import("./naive-is-clickhouse.test.ts");
  });
}

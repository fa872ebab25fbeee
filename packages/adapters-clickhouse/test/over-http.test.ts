// Suites on a real server, over HTTP: those about the wire, about failed writes and about concurrent writers. The laws of
// the stores run in process and on a cluster; `npm run test:clickhouse-server` runs everything on a server.

import { noTestServer, testServer } from "@assay/testing/clickhouse-server.mjs";
import { afterAll, describe, test } from "vitest";

if (noTestServer) {
  test.skip("runs if a server is given or can be started");
} else {
  const server = await testServer();
  // Registered first, so that it runs after the hooks of the suites.
  afterAll(() => server.stop());
  process.env["ASSAY_TEST_CLICKHOUSE_URL"] = server.url;
  describe("over HTTP", async () => {
    await import("./injection.ts");
    await import("./converge.ts");
    await import("./failed-writes.ts");
  });
}

// Run as a process of its own by the tests: opens the directory it is given, says so, and puts batches until it is
// killed, telling each one that was acknowledged.

import { openStore } from "../src/index.ts";
import { call, written } from "./fixtures.ts";

const [directory, batchSize = "0"] = process.argv.slice(2);
const store = await openStore({ directory: directory! });
store.announce("http://127.0.0.1:7777");
process.stdout.write("open\n");
const size = Number(batchSize);
const start = await store.calls.version("acme/demo");
for (let batch = start; size > 0; batch++) {
  const calls = Array.from({ length: size }, (_, i) =>
    written(call(`${batch}-${i}`, `batch ${batch}`, { output: "x".repeat(500) })),
  );
  await store.calls.put("acme/demo", calls);
  process.stdout.write(`${batch}\n`);
}
// Without batches to write: only hold the directory.
setInterval(() => undefined, 60_000);

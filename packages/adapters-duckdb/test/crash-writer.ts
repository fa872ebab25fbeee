// Run as a process of its own by the tests: opens the directory it is given, says so, and puts batches until it is
// killed, telling each one that was acknowledged.

import { callOf, textOf } from "@assay/calls/testing";
import { openStore } from "../src/index.ts";

const [directory, batchSize = "0"] = process.argv.slice(2);
const size = Number(batchSize);

async function write(): Promise<void> {
  const store = await openStore({ directory: directory! });
  process.stdout.write("open\n");
  for (let batch = await store.calls.version("acme/demo"); ; batch++) {
    const calls = Array.from({ length: size }, (_, i) =>
      textOf(callOf(`${batch}-${i}`, `batch ${batch}`, { output: "x".repeat(500) })),
    );
    await store.calls.put("acme/demo", calls);
    process.stdout.write(`${batch}\n`);
  }
}

/** Only holds the directory. Nothing refers to the store any more, which must not give it free. */
async function hold(): Promise<void> {
  (await openStore({ directory: directory! })).announce("http://127.0.0.1:7777");
  let collections = 0;
  setInterval(() => {
    globalThis.gc?.();
    if (++collections === 10) process.stdout.write("open\n");
  }, 50);
}

await (size > 0 ? write() : hold());

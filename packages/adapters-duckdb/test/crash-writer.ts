// The tests run this as a separate process: it opens the given directory, prints `open`, and puts batches until it is
// killed, printing each acknowledged batch.

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

/**
 * Only holds the directory. Nothing references the store any more, but garbage collection must not release the lock.
 */
async function hold(): Promise<void> {
  (await openStore({ directory: directory! })).announce("http://127.0.0.1:7777");
  let collections = 0;
  setInterval(() => {
    globalThis.gc?.();
    if (++collections === 10) process.stdout.write("open\n");
  }, 50);
}

await (size > 0 ? write() : hold());

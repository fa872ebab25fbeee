// The tests run this as a separate process: it records usage and creates keys until it is killed, printing each one
// that was stored.

import { openStore } from "../../src/index.ts";
import { usageRecord } from "./usage-record.ts";

const [directory = "", first = "0"] = process.argv.slice(2);
const store = await openStore({ directory });
// Keeps the store and its open files referenced while the process runs.
process.once("SIGTERM", () => store.close());
const ledger = await store.openUsage();
const keys = await store.openKeys();
for (let number = Number(first); ; number += 50) {
  await Promise.all(Array.from({ length: 50 }, (_, i) => ledger.record(usageRecord(number + i))));
  process.stdout.write(`usage ${number + 50}\n`);
  const id = String(number).padStart(8, "0");
  const scopes = [{ entity: "team", project: "*" }];
  if (await keys.add({ id, hash: "h", name: "n", scopes, createdAt: 1 })) process.stdout.write(`key ${id}\n`);
  // Occasionally moves the records into the table.
  if (number % 200 === 0) await ledger.report({});
}

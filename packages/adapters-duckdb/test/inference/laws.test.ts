// The ledger and the key store run the laws of their ports.

import { keyStoreLaws, usageLaws } from "@assay/inference-core/laws";
import { describe, onTestFinished, test } from "vitest";
import { openKeyStore } from "../../src/inference/keys.ts";
import { openUsageLedger } from "../../src/inference/usage.ts";
import { freshDirectory, openFresh, openHere } from "../support.ts";

describe("usage", () => {
  const laws = usageLaws(async () => {
    const directory = freshDirectory();
    const { database } = await openHere(directory);
    const ledger = await openUsageLedger(database, directory);
    onTestFinished(() => ledger.close());
    return ledger;
  });
  for (const { name, run } of laws) test(name, run);
});

describe("keys", () => {
  const laws = keyStoreLaws(async () => openKeyStore((await openFresh()).database));
  for (const { name, run } of laws) test(name, run);
});

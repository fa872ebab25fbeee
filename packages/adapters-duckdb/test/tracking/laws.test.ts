// The tracking store runs the laws of its port, and keeps the data it acknowledged.

import { trackingStoreLaws } from "@assay/tracking-core/laws";
import { describe, expect, test } from "vitest";
import { signingSecret } from "../../src/tracking/signing-secret.ts";
import { trackingStore } from "../../src/tracking/store.ts";
import { freshDirectory, openFresh, openHere } from "../support.ts";

describe("trackingStore", () => {
  const laws = trackingStoreLaws(async () => trackingStore((await openFresh()).database));
  for (const { name, run } of laws) test(name, run);
});

test("the secret of a directory never changes", async () => {
  const directory = freshDirectory();
  const store = await openHere(directory);
  const secret = await signingSecret(store.database);
  await store.close();
  expect(await signingSecret((await openHere(directory)).database)).toEqual(secret);
  expect(secret).toHaveLength(32);
  expect(await signingSecret((await openFresh()).database)).not.toEqual(secret);
});

import { createApiKey, KEY_BYTES, memoryKeyStore } from "@assay/inference-core";
import { expect, test } from "vitest";
import { storedKeyAuthentication } from "../../src/index.ts";

test("a stored key opens its own projects, in every authentication scheme", async () => {
  const keys = memoryKeyStore();
  const scopes = [{ entity: "team", project: "*" }];
  const { secret, key } = createApiKey(new Uint8Array(KEY_BYTES).fill(7), { name: "ci", scopes, now: 0 });
  await keys.add(key);
  const authenticate = storedKeyAuthentication(keys, () => 1);
  const ask = (authorization?: string) =>
    authenticate(
      new Request("http://localhost", authorization === undefined ? {} : { headers: { authorization } }),
    );
  for (const header of [`Bearer ${secret}`, `Basic ${btoa(`api:${secret}`)}`]) {
    const principal = await ask(header);
    expect([principal?.id, principal?.allows("team", "x"), principal?.allows("other", "x")]).toEqual([
      key.id,
      true,
      false,
    ]);
  }
  for (const header of [undefined, "", "Bearer x", `Bearer ${secret}x`, `Token ${secret}`]) {
    expect(await ask(header)).toBeUndefined();
  }
  await keys.revoke(key.id, 1);
  expect(await ask(`Bearer ${secret}`)).toBeUndefined();
});

import { expect, test } from "vitest";
import { createApiKey, findApiKey, KEY_BYTES, memoryKeyStore } from "../src/index.ts";
import { apiKeyId, keyAllows } from "../src/keys/api-key.ts";
import { sameHash } from "../src/keys/find-api-key.ts";

const random = (seed: number) => Uint8Array.from({ length: KEY_BYTES }, (_, i) => (i * 37 + seed * 11) % 256);
const scopes = [{ entity: "team", project: "*" }];
const make = (seed: number, more: object = {}) =>
  createApiKey(random(seed), { name: "ci", scopes, now: 5, ...more });

test("a key has 40 characters, and its stored part does not contain its secret", () => {
  const { secret, key } = make(1);
  expect(secret).toMatch(/^assay_[0-9a-z]{34}$/);
  expect(apiKeyId(secret)).toBe(key.id);
  expect(JSON.stringify(key)).not.toContain(secret.slice(14));
  expect(key).toMatchObject({ name: "ci", scopes, createdAt: 5 });
});

test("a key is found only by its whole text", async () => {
  const keys = memoryKeyStore();
  const { secret, key } = make(1);
  await keys.add(key);
  expect(await findApiKey(keys, secret, 6)).toEqual(key);
  const other = `${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"}`;
  for (const wrong of [
    other,
    make(2).secret,
    secret.slice(0, -1),
    `${secret}0`,
    secret.toUpperCase(),
    key.hash,
    "",
  ]) {
    expect(await findApiKey(keys, wrong, 6)).toBeUndefined();
  }
});

test("a key is valid until it expires or is revoked", async () => {
  const keys = memoryKeyStore();
  const { secret, key } = make(1, { expiresAt: 10 });
  await keys.add(key);
  expect((await findApiKey(keys, secret, 9))?.id).toBe(key.id);
  expect(await findApiKey(keys, secret, 10)).toBeUndefined();
  await keys.revoke(key.id, 7);
  expect(await findApiKey(keys, secret, 9)).toBeUndefined();
});

test("a scope covers its project, or all of its entity, or everything", () => {
  const allows = (entity: string, project: string) =>
    keyAllows({ scopes: [...scopes, { entity: "other", project: "one" }] }, entity, project);
  expect([allows("team", "any"), allows("other", "one"), allows("other", "two"), allows("*", "any")]).toEqual(
    [true, true, false, false],
  );
  expect(keyAllows({ scopes: [{ entity: "*", project: "*" }] }, "a", "b")).toBe(true);
  expect(keyAllows({ scopes: [] }, "a", "b")).toBe(false);
});

test("only equal hashes match", () => {
  expect(sameHash("abc", "abc")).toBe(true);
  for (const other of ["abd", "ab", "abcd", ""]) expect(sameHash("abc", other)).toBe(false);
  expect([sameHash("", ""), sameHash("", "a")]).toEqual([true, false]);
});

test("a key needs exactly its number of random bytes", () => {
  expect(() => createApiKey(new Uint8Array(8), { name: "x", scopes, now: 0 })).toThrow("34 bytes");
});

// Finds the stored key for a secret. Takes the same steps whether the key is unknown, wrong, expired or revoked, so
// that the duration reveals nothing.

import { type ApiKey, apiKeyId, hashApiKey, isUsable } from "./api-key.ts";
import type { KeyStore } from "./key-store.ts";

const NO_HASH = "0".repeat(64);

/**
 * The stored key for `secret`, if it is valid at `now`. Undefined if it is unknown, wrong, expired or revoked; all of
 * these cases take the same steps.
 */
export async function findApiKey(keys: KeyStore, secret: string, now: number): Promise<ApiKey | undefined> {
  const id = apiKeyId(secret);
  const key = id === undefined ? undefined : await keys.get(id);
  const same = sameHash(hashApiKey(secret), key?.hash ?? NO_HASH);
  return same && key !== undefined && isUsable(key, now) ? key : undefined;
}

/** Compares two hashes in a time that does not depend on where they differ. */
export function sameHash(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % (b.length || 1));
  return difference === 0;
}

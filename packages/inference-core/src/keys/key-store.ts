// KeyStore: stores API keys, only as hashes. A key itself is shown once, when it is created.

import type { ApiKey } from "./api-key.ts";

/** Stores API keys. Every method is atomic. Throws a `Fault` when the storage fails. Laws: `keyStoreLaws`. */
export interface KeyStore {
  /** The key with this ID, or undefined. A revoked key still exists. */
  get(id: string): Promise<ApiKey | undefined>;

  /** Stores a new key. Resolves to whether it did: it does not if its ID is taken. */
  add(key: ApiKey): Promise<boolean>;

  /**
   * Marks a key as revoked at `at` (milliseconds since 1970). Resolves to whether the key exists; a key that is
   * already revoked keeps its first time.
   */
  revoke(id: string, at: number): Promise<boolean>;

  /** The keys in ID order, at most `limit`, starting after the ID `after` if given. */
  list(limit: number, after?: string): Promise<readonly ApiKey[]>;
}

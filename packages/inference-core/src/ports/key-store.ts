// KeyStore: where API keys are kept, only as hashes. A key itself is seen once, when it is created.

import type { ApiKey } from "../api-key.ts";

/** Keeps API keys. Every method is atomic. When the storage fails, it throws a `Fault`. Laws: `keyStoreLaws`. */
export interface KeyStore {
  /** The key with this id, or undefined. A revoked key is still there. */
  get(id: string): Promise<ApiKey | undefined>;

  /** Keeps a new key. Resolves to whether it did: not when its id is taken. */
  add(key: ApiKey): Promise<boolean>;

  /**
   * Marks a key as revoked at `at` (milliseconds since 1970). Resolves to whether there is such a key; one that is
   * revoked already keeps its first time.
   */
  revoke(id: string, at: number): Promise<boolean>;

  /** The keys in id order, at most `limit`, those after the id `after` when it is given. */
  list(limit: number, after?: string): Promise<readonly ApiKey[]>;
}

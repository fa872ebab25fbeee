// API keys in memory. For tests, examples and single-process use.

import type { ApiKey } from "./api-key.ts";
import type { KeyStore } from "./key-store.ts";

/** A key store that keeps its keys in memory. */
export function memoryKeyStore(): KeyStore {
  const keys = new Map<string, ApiKey>();

  return {
    async get(id) {
      return keys.get(id);
    },
    async add(key) {
      if (keys.has(key.id)) return false;
      keys.set(key.id, key);
      return true;
    },
    async revoke(id, at) {
      const key = keys.get(id);
      if (key === undefined) return false;
      keys.set(id, { ...key, revokedAt: key.revokedAt ?? at });
      return true;
    },
    async list(limit, after) {
      const ids = [...keys.keys()].filter((id) => after === undefined || id > after);
      return ids
        .sort((a, b) => (a < b ? -1 : 1))
        .slice(0, limit)
        .map((id) => keys.get(id)!);
    },
  };
}

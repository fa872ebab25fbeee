// API keys, in a table and all of them in memory: every request needs one, and there are few.

import { serialQueue } from "@assay/base/internal";
import { type ApiKey, type KeyStore, memoryKeyStore } from "@assay/inference-core";
import type { KeyScope, KeyVerb } from "@assay/inference-core/internal";
import type { Cell, Database, Transaction } from "../database/database.ts";

/** Opens the keys of a data directory; `database` belongs to its store. */
export async function openKeyStore(database: Database): Promise<KeyStore> {
  // The memory store applies the rules of key stores; the table records its results.
  const memory = memoryKeyStore();
  for (const key of await readKeys(database)) await memory.add(key);
  const next = serialQueue();

  return {
    get: memory.get,
    list: memory.list,
    add: (key) =>
      next(async () => {
        if ((await memory.get(key.id)) !== undefined) return false;
        await database.write((transaction) => insert(transaction, key));
        return memory.add(key);
      }),
    revoke: (id, at) =>
      next(async () => {
        if ((await memory.get(id)) === undefined) return false;
        const update = "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL";
        await database.write((transaction) => transaction.run(update, [at, id]));
        return memory.revoke(id, at);
      }),
  };
}

function insert(transaction: Transaction, key: ApiKey): Promise<void> {
  return transaction.run("INSERT INTO api_keys VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [
    key.id,
    key.hash,
    key.name,
    JSON.stringify(key.scopes),
    key.createdAt,
    key.expiresAt ?? null,
    key.revokedAt ?? null,
    key.verbs === undefined ? null : JSON.stringify(key.verbs),
  ]);
}

async function readKeys(database: Database): Promise<readonly ApiKey[]> {
  const columns = await database.columns(
    "SELECT id, hash, name, scopes, created_at, expires_at, revoked_at, verbs FROM api_keys",
  );
  return columns[0]!.map((_, row) => keyOf(columns.map((column) => column[row]!)));
}

/** Makes a key of a table row with these column types. */
function keyOf(row: readonly Cell[]): ApiKey {
  const [id, hash, name, scopes, createdAt, expiresAt, revokedAt, verbs] = row as [
    string,
    string,
    string,
    string,
    number,
    number | null,
    number | null,
    string | null,
  ];
  return {
    id,
    hash,
    name,
    scopes: JSON.parse(scopes) as readonly KeyScope[],
    ...(verbs !== null && { verbs: JSON.parse(verbs) as readonly KeyVerb[] }),
    createdAt,
    ...(expiresAt !== null && { expiresAt }),
    ...(revokedAt !== null && { revokedAt }),
  };
}

// Writes versioned records: a change fits if its version follows the stored one.

import type { ProjectName } from "@assay/tracking-core/internal";
import type { Transaction } from "../database/database.ts";
import { projectKey } from "./project-key.ts";

/** A versioned record with a name in its project. */
interface Versioned extends ProjectName {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

/**
 * Writes a record if its version is the next one and no other has its name, and resolves to whether it did. `column`
 * is what the table has between the name and the version; it never changes.
 */
export async function writeVersioned(
  transaction: Transaction,
  table: "tracking_collections" | "tracking_runs",
  record: Versioned,
  column: string | number,
): Promise<boolean> {
  const { id, name, version } = record;
  const key = projectKey(record);
  const [ids, versions] = await transaction.columns(
    `SELECT id, version FROM ${table} WHERE id = ? OR (project = ? AND name = ?)`,
    [id, key, name],
  );
  if (ids!.some((one) => one !== id)) return false;
  if (version !== ((versions![0] as number | undefined) ?? 0) + 1) return false;
  const body = JSON.stringify(record);
  if (ids!.length === 0)
    await transaction.run(`INSERT INTO ${table} VALUES (?, ?, ?, ?, ?, ?)`, [
      ...[id, key, name, column, version, body],
    ]);
  else await transaction.run(`UPDATE ${table} SET version = ?, body = ? WHERE id = ?`, [version, body, id]);
  return true;
}

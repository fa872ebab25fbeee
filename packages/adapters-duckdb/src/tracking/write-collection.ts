// Writes collections, their artifacts, entries and aliases, within a transaction.

import type { Artifact, CollectionChange } from "@assay/tracking-core";
import type { ArtifactEntry, ProjectBlob } from "@assay/tracking-core/internal";
import type { Transaction } from "../database/database.ts";
import { projectKey } from "./project-key.ts";
import { writeVersioned } from "./write-versioned.ts";

/** Writes a change if it fits, and resolves to whether it did. Otherwise the transaction is unchanged. */
export async function writeCollection(
  transaction: Transaction,
  { collection, artifacts = [], entries = [], aliases = [], removed = [], blobs = [] }: CollectionChange,
): Promise<boolean> {
  if (!(await writeVersioned(transaction, "tracking_collections", collection, collection.type))) return false;
  const key = projectKey(collection);
  await removeArtifacts(transaction, key, removed);
  for (const artifact of artifacts) await writeArtifact(transaction, artifact);
  for (const one of entries) await writeEntries(transaction, key, one.artifactId, one.entries);
  await writeBlobs(transaction, key, blobs);
  for (const { alias, artifactId } of aliases) {
    await transaction.run("DELETE FROM tracking_aliases WHERE collection = ? AND alias = ?", [
      collection.id,
      alias,
    ]);
    if (artifactId === undefined) continue;
    await transaction.run("INSERT INTO tracking_aliases VALUES (?, ?, ?)", [
      collection.id,
      alias,
      artifactId,
    ]);
  }
  return true;
}

async function writeArtifact(transaction: Transaction, artifact: Artifact): Promise<void> {
  await transaction.run("DELETE FROM tracking_artifacts WHERE id = ?", [artifact.id]);
  await transaction.run("INSERT INTO tracking_artifacts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [
    artifact.id,
    artifact.collectionId,
    artifact.state === "COMMITTED",
    artifact.versionIndex ?? null,
    artifact.digest,
    artifact.createdBy ?? null,
    artifact.manifest?.sha256 ?? null,
    artifact.createdAt,
    JSON.stringify(artifact),
  ]);
}

async function writeEntries(
  transaction: Transaction,
  key: string,
  artifactId: string,
  entries: readonly ArtifactEntry[],
): Promise<void> {
  await transaction.run("DELETE FROM tracking_entries WHERE artifact = ?", [artifactId]);
  if (entries.length === 0) return;
  await transaction.append("tracking_entries", [
    { type: "VARCHAR", values: entries.map(() => artifactId) },
    { type: "VARCHAR", values: entries.map(() => key) },
    { type: "VARCHAR", values: entries.map(({ path }) => path) },
    { type: "VARCHAR", values: entries.map(({ digest }) => digest) },
    { type: "VARCHAR", values: entries.map((entry) => JSON.stringify(entry)) },
  ]);
}

/** Records that a project, by its key, has these bytes. */
export async function writeBlobs(
  transaction: Transaction,
  key: string,
  blobs: readonly ProjectBlob[],
): Promise<void> {
  if (blobs.length === 0) return;
  // Of two with the same MD5, the last counts.
  const own = [...new Map(blobs.map((blob) => [blob.md5, blob])).values()];
  await transaction.run(
    "DELETE FROM tracking_blobs WHERE project = ? AND md5 IN (SELECT unnest(?::VARCHAR[]))",
    [key, own.map(({ md5 }) => md5)],
  );
  await transaction.append("tracking_blobs", [
    { type: "VARCHAR", values: own.map(() => key) },
    { type: "VARCHAR", values: own.map(({ md5 }) => md5) },
    { type: "VARCHAR", values: own.map(({ sha256 }) => sha256) },
    { type: "DOUBLE", values: own.map(({ size }) => size) },
    { type: "DOUBLE", values: own.map(({ createdAt }) => createdAt) },
  ]);
}

/** Removes artifacts with their entries and aliases, and the project's blobs that no other artifact lists. */
async function removeArtifacts(transaction: Transaction, key: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const these = "(SELECT unnest(?::VARCHAR[]))";
  const theirs = `SELECT digest FROM tracking_entries WHERE artifact IN ${these}` as const;
  const others =
    `SELECT digest FROM tracking_entries WHERE project = ? AND artifact NOT IN ${these}` as const;
  await transaction.run(
    `DELETE FROM tracking_blobs WHERE project = ? AND md5 IN (${theirs}) AND md5 NOT IN (${others})`,
    [key, ids, key, ids],
  );
  await transaction.run(`DELETE FROM tracking_artifacts WHERE id IN ${these}`, [ids]);
  for (const table of ["tracking_entries", "tracking_aliases", "tracking_uses"] as const)
    await transaction.run(`DELETE FROM ${table} WHERE artifact IN ${these}`, [ids]);
}

/** Removes pending artifacts, and blobs that no artifact lists, from before `before`. */
export async function forgetUnfinished(transaction: Transaction, before: number): Promise<void> {
  const [ids] = await transaction.columns(
    "SELECT id FROM tracking_artifacts WHERE NOT committed AND created < ?",
    [before],
  );
  if (ids!.length > 0)
    await transaction.run("DELETE FROM tracking_artifacts WHERE NOT committed AND created < ?", [before]);
  const listing =
    "SELECT 1 FROM tracking_entries e WHERE e.project = tracking_blobs.project AND e.digest = tracking_blobs.md5";
  const unlisted = `created < ? AND NOT EXISTS ( ${listing} )` as const;
  const [blobs] = await transaction.columns(`SELECT 1 FROM tracking_blobs WHERE ${unlisted} LIMIT 1`, [
    before,
  ]);
  if (blobs!.length > 0) await transaction.run(`DELETE FROM tracking_blobs WHERE ${unlisted}`, [before]);
}

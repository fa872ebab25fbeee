// Finds the runs and artifacts to delete with a project, and file content that is then no longer needed. Checkpoints of
// models, which clients also see as artifacts, stay with their models.

import type { Collection } from "@assay/tracking-core";
import type { Database } from "../database/database.ts";
import { projectKey } from "../tracking/project-key.ts";
import { trainingStore } from "../training/store.ts";

/** Rows of the run and artifact tables to delete. */
export interface TrackingToDelete {
  /** Ids of runs. */
  readonly runs: ReadonlySet<string>;
  /** Ids of artifact versions. */
  readonly artifacts: ReadonlySet<string>;
  /** Whether the project has none. */
  readonly isEmpty: boolean;
  /** SHA-256 of content that nothing else uses. */
  readonly bytes: readonly string[];
  /** Whether to delete a row; `value` returns its columns. */
  includes(table: string, value: (column: string) => unknown): boolean;
}

/** The rows of a project, `<entity>/<project>`. */
export async function trackingToDelete(database: Database, project: string): Promise<TrackingToDelete> {
  const slash = project.indexOf("/");
  const key = projectKey({ entity: project.slice(0, slash), project: project.slice(slash + 1) });
  const texts = async (sql: string, parameters: Parameters<Database["columns"]>[1] = []) =>
    new Set((await database.columns(sql, parameters))[0] as readonly string[]);
  const runs = await texts("SELECT id FROM tracking_runs WHERE project = ?", [key]);
  const [ids, bodies] = await database.columns(
    "SELECT id, body FROM tracking_collections WHERE project = ?",
    [key],
  );
  const isOfModel = (body: string) => (JSON.parse(body) as Pick<Collection, "model">).model !== undefined;
  const collections = new Set((ids as string[]).filter((_, i) => !isOfModel(bodies![i] as string)));
  const artifacts = await texts(
    "SELECT id FROM tracking_artifacts WHERE collection IN (SELECT unnest(?::VARCHAR[]))",
    [[...collections]],
  );
  const blobs = await texts(
    `SELECT md5 FROM tracking_blobs WHERE project = $1 AND md5 NOT IN (
       SELECT digest FROM tracking_entries WHERE project = $1 AND artifact NOT IN (SELECT unnest($2::VARCHAR[])))`,
    [key, [...artifacts]],
  );
  const rowsToDelete: { readonly [table: string]: (value: (column: string) => unknown) => boolean } = {
    tracking_runs: (value) => runs.has(value("id") as string),
    tracking_lines: (value) => runs.has(value("run") as string),
    tracking_files: (value) => runs.has(value("run") as string),
    tracking_uses: (value) => runs.has(value("run") as string) || artifacts.has(value("artifact") as string),
    tracking_collections: (value) => collections.has(value("id") as string),
    tracking_artifacts: (value) => artifacts.has(value("id") as string),
    tracking_aliases: (value) => collections.has(value("collection") as string),
    tracking_entries: (value) => artifacts.has(value("artifact") as string),
    tracking_blobs: (value) => value("project") === key && blobs.has(value("md5") as string),
  };
  const held = [[...runs], [...artifacts], key, [...blobs]] as const;
  const own = await texts(
    `SELECT sha256 FROM tracking_files WHERE run IN (SELECT unnest($1::VARCHAR[]))
     UNION SELECT manifest FROM tracking_artifacts WHERE manifest IS NOT NULL AND id IN (SELECT unnest($2::VARCHAR[]))
     UNION SELECT sha256 FROM tracking_blobs WHERE project = $3 AND md5 IN (SELECT unnest($4::VARCHAR[]))
     EXCEPT (
       SELECT sha256 FROM tracking_files WHERE run NOT IN (SELECT unnest($1::VARCHAR[]))
       UNION SELECT manifest FROM tracking_artifacts WHERE manifest IS NOT NULL AND id NOT IN (SELECT unnest($2::VARCHAR[]))
       UNION SELECT sha256 FROM tracking_blobs WHERE NOT (project = $3 AND md5 IN (SELECT unnest($4::VARCHAR[]))))`,
    held,
  );
  const training = trainingStore(database);
  const bytes: string[] = [];
  for (const sha256 of own) if (!(await training.usesBlob(sha256))) bytes.push(sha256);
  const isEmpty = runs.size + collections.size + blobs.size === 0;
  return {
    runs,
    artifacts,
    isEmpty,
    bytes,
    includes: (table, value) => rowsToDelete[table]?.(value) === true,
  };
}

// The tracking store in DuckDB: runs with their lines and files, artifacts with their entries and aliases. Every row
// holds its object as JSON, and other columns only for lookups.

import { Fault } from "@assay/base";
import type { Artifact, Collection, Line, Run, TrackingStore } from "@assay/tracking-core";
import type { ArtifactEntry, ProjectBlob, RunFile } from "@assay/tracking-core/internal";
import type { Cell, Database, Parameter } from "../database/database.ts";
import { groupCommit } from "../records/group-commit.ts";
import { DATABASE_FILE } from "../records/record-files.ts";
import { projectIn, projectKey, projectsKey } from "./project-key.ts";
import { forgetUnfinished, writeBlobs, writeCollection } from "./write-collection.ts";
import { removeRun, writeRun } from "./write-run.ts";

/** Creates a `TrackingStore` in the tables of an open data directory: `store.database`. */
export function trackingStore(database: Database): TrackingStore {
  const write = groupCommit(database);
  const { columns } = database;
  /** The objects in a result's first column, in order. */
  const all = async <T>(sql: string, parameters: readonly Parameter[]): Promise<T[]> => {
    const [bodies] = await columns(sql, parameters);
    return bodies!.map((body) => parsed<T>(body));
  };
  const one = async <T>(sql: string, parameters: readonly Parameter[]): Promise<T | undefined> =>
    (await all<T>(sql, parameters))[0];
  const count = async (sql: string, parameters: readonly Parameter[]): Promise<number> =>
    (await columns(sql, parameters))[0]![0] as number;

  return {
    run: (name) =>
      one<Run>("SELECT body FROM tracking_runs WHERE project = ? AND name = ?", [
        projectKey(name),
        name.name,
      ]),
    runWithId: (id) => one<Run>("SELECT body FROM tracking_runs WHERE id = ?", [id]),
    runs(project, { order, after, limit }) {
      const later = after === undefined ? "" : `AND (created, id) ${order === "asc" ? ">" : "<"} (?, ?)`;
      return all<Run>(
        `SELECT body FROM tracking_runs WHERE project = ? ${later}
         ORDER BY created ${order}, id ${order} LIMIT ?::BIGINT`,
        [projectKey(project), ...(after === undefined ? [] : [after.createdAt, after.id]), limit],
      );
    },
    runCount: (project) =>
      count("SELECT count(*) FROM tracking_runs WHERE project = ?", [projectKey(project)]),
    lines: async (runId, stream, { from, limit, every = 1 }) =>
      linesOf(
        await columns(
          `SELECT line, step, body FROM tracking_lines
           WHERE run = ? AND stream = ? AND line >= ? ${every === 1 ? "" : "AND line::BIGINT % ?::BIGINT = 0"}
           ORDER BY line LIMIT ?::BIGINT`,
          [runId, stream, from, ...(every === 1 ? [] : [every]), limit],
        ),
      ),
    history: async (runId, { minStep, maxStep, after, limit }) =>
      linesOf(
        await columns(
          `SELECT line, step, body FROM tracking_lines
           WHERE run = ? AND stream = 'history' AND step >= ? AND step < ?
             ${after === undefined ? "" : "AND (step, line) > (?, ?)"}
           ORDER BY step, line LIMIT ?::BIGINT`,
          [runId, minStep, maxStep, ...(after === undefined ? [] : [after.step, after.line]), limit],
        ),
      ),
    runFiles: (runId, { after, limit }) =>
      all<RunFile>(
        `SELECT body FROM tracking_files WHERE run = ? ${after === undefined ? "" : "AND name > ?"}
         ORDER BY name LIMIT ?::BIGINT`,
        [runId, ...(after === undefined ? [] : [after]), limit],
      ),
    runFile: (runId, name) =>
      one<RunFile>("SELECT body FROM tracking_files WHERE run = ? AND name = ?", [runId, name]),
    async usedBy(runId) {
      const [ids] = await columns("SELECT artifact FROM tracking_uses WHERE run = ? ORDER BY artifact", [
        runId,
      ]);
      return ids as readonly string[];
    },
    usersOf: (artifactId, limit) =>
      all<Run>(
        `SELECT r.body FROM tracking_uses u JOIN tracking_runs r ON r.id = u.run
         WHERE u.artifact = ? ORDER BY r.created, r.id LIMIT ?::BIGINT`,
        [artifactId, limit],
      ),
    commitRun: (change) => write((transaction) => writeRun(transaction, change)),
    removeRun: (run) => write((transaction) => removeRun(transaction, run)),

    collection: (name) =>
      one<Collection>("SELECT body FROM tracking_collections WHERE project = ? AND name = ?", [
        projectKey(name),
        name.name,
      ]),
    collectionWithId: (id) => one<Collection>("SELECT body FROM tracking_collections WHERE id = ?", [id]),
    collections: (project, { type, after, limit }) =>
      all<Collection>(
        `SELECT body FROM tracking_collections WHERE project = ?
           ${type === undefined ? "" : "AND type = ?"} ${after === undefined ? "" : "AND name > ?"}
         ORDER BY name LIMIT ?::BIGINT`,
        [
          projectKey(project),
          ...(type === undefined ? [] : [type]),
          ...(after === undefined ? [] : [after]),
          limit,
        ],
      ),
    collectionCount: (project, type) =>
      count(
        `SELECT count(*) FROM tracking_collections WHERE project = ? ${type === undefined ? "" : "AND type = ?"}`,
        [projectKey(project), ...(type === undefined ? [] : [type])],
      ),
    async projects(entity) {
      const [keys] = await columns(
        `SELECT DISTINCT project FROM
           (SELECT project FROM tracking_runs UNION ALL SELECT project FROM tracking_collections)
         WHERE starts_with(project, ?)`,
        [projectsKey(entity)],
      );
      return keys!.map((key) => projectIn(key as string)).sort();
    },
    async types(project) {
      const [types] = await columns(
        "SELECT DISTINCT type FROM tracking_collections WHERE project = ? ORDER BY type",
        [projectKey(project)],
      );
      return types as readonly string[];
    },
    artifact: (id) => one<Artifact>("SELECT body FROM tracking_artifacts WHERE id = ?", [id]),
    artifactAt: (collectionId, versionIndex) =>
      one<Artifact>("SELECT body FROM tracking_artifacts WHERE collection = ? AND committed AND number = ?", [
        collectionId,
        versionIndex,
      ]),
    artifactWithDigest: (collectionId, digest) =>
      one<Artifact>(
        `SELECT body FROM tracking_artifacts WHERE collection = ? AND committed AND digest = ?
         ORDER BY number DESC LIMIT 1`,
        [collectionId, digest],
      ),
    artifacts: (collectionId, { before, limit }) =>
      all<Artifact>(
        `SELECT body FROM tracking_artifacts
         WHERE collection = ? AND committed ${before === undefined ? "" : "AND number < ?"}
         ORDER BY number DESC LIMIT ?::BIGINT`,
        [collectionId, ...(before === undefined ? [] : [before]), limit],
      ),
    artifactCount: (collectionId) =>
      count("SELECT count(*) FROM tracking_artifacts WHERE collection = ? AND committed", [collectionId]),
    artifactsBy: (run, limit) =>
      all<Artifact>(
        `SELECT a.body FROM tracking_artifacts a JOIN tracking_collections c ON c.id = a.collection
         WHERE c.project = ? AND a.run = ? AND a.committed ORDER BY a.created, a.id LIMIT ?::BIGINT`,
        [projectKey(run), run.name, limit],
      ),
    async aliases(collectionId, artifactId) {
      const [names, ids] = await columns(
        `SELECT alias, artifact FROM tracking_aliases
         WHERE collection = ? ${artifactId === undefined ? "" : "AND artifact = ?"} ORDER BY alias`,
        [collectionId, ...(artifactId === undefined ? [] : [artifactId])],
      );
      return names!.map((alias, i) => ({ alias: alias as string, artifactId: ids![i] as string }));
    },
    aliased: (collectionId, alias) =>
      one<Artifact>(
        `SELECT a.body FROM tracking_artifacts a JOIN tracking_aliases l ON l.artifact = a.id
         WHERE l.collection = ? AND l.alias = ?`,
        [collectionId, alias],
      ),
    entries: (artifactId, { after, limit }) =>
      all<ArtifactEntry>(
        `SELECT body FROM tracking_entries WHERE artifact = ? ${after === undefined ? "" : "AND path > ?"}
         ORDER BY path LIMIT ?::BIGINT`,
        [artifactId, ...(after === undefined ? [] : [after]), limit],
      ),
    entriesAt: (artifactId, paths) =>
      all<ArtifactEntry>(
        `SELECT body FROM tracking_entries
         WHERE artifact = ? AND path IN (SELECT unnest(?::VARCHAR[])) ORDER BY path`,
        [artifactId, paths],
      ),
    async fileBytes(project) {
      const key = projectKey(project);
      const [sums] = await columns(
        `SELECT coalesce(sum(size), 0)::DOUBLE FROM (
           SELECT size FROM tracking_blobs WHERE project = $1
           UNION ALL SELECT json_extract(f.body, '$.size')::DOUBLE FROM tracking_files f
             JOIN tracking_runs r ON r.id = f.run WHERE r.project = $1
           UNION ALL SELECT json_extract(a.body, '$.manifest.size')::DOUBLE FROM tracking_artifacts a
             JOIN tracking_collections c ON c.id = a.collection WHERE c.project = $1 AND a.manifest IS NOT NULL
         )`,
        [key],
      );
      return Number(sums![0]);
    },
    async blobs(project, md5s) {
      if (md5s.length === 0) return [];
      const found = await columns(
        `SELECT md5, sha256, size, created FROM tracking_blobs
         WHERE project = ? AND md5 IN (SELECT unnest(?::VARCHAR[])) ORDER BY md5`,
        [projectKey(project), md5s],
      );
      return blobsOf(found);
    },
    addBlob: (project, blob) => write((transaction) => writeBlobs(transaction, projectKey(project), [blob])),
    commitCollection: (change) => write((transaction) => writeCollection(transaction, change)),
    forgetUnfinished: (before) => write((transaction) => forgetUnfinished(transaction, before)),

    async usesBlob(sha256) {
      const [found] = await columns(
        `SELECT 1 FROM tracking_blobs WHERE sha256 = $1
         UNION ALL SELECT 1 FROM tracking_files WHERE sha256 = $1
         UNION ALL SELECT 1 FROM tracking_artifacts WHERE manifest = $1
         LIMIT 1`,
        [sha256],
      );
      return found!.length > 0;
    },
  };
}

function linesOf([lines, steps, texts]: readonly (readonly Cell[])[]): Line[] {
  return lines!.map((line, i) => ({
    line: line as number,
    step: steps![i] as number,
    text: parsed<string>(texts![i]!),
  }));
}

function blobsOf([md5s, sha256s, sizes, created]: readonly (readonly Cell[])[]): ProjectBlob[] {
  return md5s!.map((md5, i) => ({
    md5: md5 as string,
    sha256: sha256s![i] as string,
    size: sizes![i] as number,
    createdAt: created![i] as number,
  }));
}

function parsed<T>(body: Cell): T {
  try {
    return JSON.parse(body as string) as T;
  } catch (error) {
    throw new Fault("corrupt", "something in the tables of runs and artifacts cannot be read", {
      cause: error,
      file: DATABASE_FILE,
    });
  }
}

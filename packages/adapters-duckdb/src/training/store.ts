// The training store in DuckDB: models, checkpoints, jobs, their events and remembered replies. Every row holds its
// object as JSON, and other columns only for lookups: the core decides what a job is, not a column.

import { Fault } from "@assay/base";
import type { Checkpoint, Job, JobEvent, Model, TrainingFile, TrainingStore } from "@assay/training-core";
import type { JobPage, Reply } from "@assay/training-core/internal";
import type { Database, Parameter } from "../database/database.ts";
import { DATABASE_FILE } from "../records/record-files.ts";
import { projectKey } from "../tracking/project-key.ts";
import { commits } from "./commits.ts";
import { JOB_NUMBER } from "./job-number.ts";
import { keyOfName } from "./key-of-name.ts";
import { readSpec } from "./read-spec.ts";

/** A condition on rows in SQL, with its parameters. */
type Condition = readonly [string, ...Parameter[]];

/** A selection of rows from a table that is listed by age. */
interface Ordered extends Pick<JobPage, "order" | "limit"> {
  readonly conditions: readonly Condition[];
  readonly after: JobPage["after"] | undefined;
}

/** Creates a `TrainingStore` in the tables of an open data directory: `store.database`. */
export function trainingStore(database: Database): TrainingStore {
  /** The objects in a result's first column, in order. */
  const all = async <T>(what: string, sql: string, parameters: readonly Parameter[]): Promise<T[]> => {
    const [bodies] = await database.columns(sql, parameters);
    return bodies!.map((body) => parsed<T>(what, body as string));
  };
  const one = async <T>(
    what: string,
    sql: string,
    parameters: readonly Parameter[],
  ): Promise<T | undefined> => (await all<T>(what, sql, parameters))[0];

  /** Objects of a table, by creation time, then id. */
  const page = <T>(
    what: string,
    table: "training_jobs" | "training_files",
    { conditions, order, after, limit }: Ordered,
  ): Promise<T[]> => {
    const later = order === "asc" ? ">" : "<";
    const last: Condition[] =
      after === undefined ? [] : [[`(created, id) ${later} (?, ?)`, after.createdAt, after.id]];
    const wanted = [...conditions, ...last];
    const where = wanted.map(([sql]) => sql).join(" AND ") || "true";
    return all<T>(
      what,
      `SELECT body FROM ${table} WHERE ${where} ORDER BY created ${order}, id ${order} LIMIT ?::BIGINT`,
      [...wanted.flatMap(([, ...parameters]) => parameters), limit],
    );
  };

  return {
    commit: commits(database),

    model: (id) => one<Model>("model", "SELECT body FROM training_models WHERE id = ?", [id]),
    modelNamed: (name) =>
      one<Model>("model", "SELECT body FROM training_models WHERE name_key = ? AND NOT deleted", [
        keyOfName(name),
      ]),
    models: ({ after, limit }) =>
      all<Model>(
        "model",
        `SELECT m.body FROM training_models m
         LEFT JOIN (SELECT created, id FROM training_models WHERE id = ?) last ON true
         WHERE NOT m.deleted AND (last.id IS NULL OR (m.created, m.id) > (last.created, last.id))
         ORDER BY m.created, m.id LIMIT ?::BIGINT`,
        [after ?? null, limit],
      ),

    checkpoint: (modelId, step) =>
      one<Checkpoint>("checkpoint", "SELECT body FROM training_checkpoints WHERE model = ? AND step = ?", [
        modelId,
        step,
      ]),
    checkpointWithId: (modelId, id) =>
      one<Checkpoint>("checkpoint", "SELECT body FROM training_checkpoints WHERE model = ? AND id = ?", [
        modelId,
        id,
      ]),
    checkpoints: (modelId, { order, afterStep, limit }) =>
      all<Checkpoint>(
        "checkpoint",
        `SELECT body FROM training_checkpoints
         WHERE model = ? AND NOT deleted ${afterStep === undefined ? "" : `AND step ${order === "asc" ? ">" : "<"} ?`}
         ORDER BY step ${order} LIMIT ?::BIGINT`,
        [modelId, ...(afterStep === undefined ? [] : [afterStep]), limit],
      ),
    async usesBlob(sha256) {
      // As in JSON: quotes within a text are escaped, so nothing else matches.
      const named = `"sha256":${JSON.stringify(sha256)}`;
      const [found] = await database.columns(
        `SELECT 1 FROM training_checkpoints WHERE NOT deleted AND contains(body, $1)
         UNION ALL SELECT 1 FROM training_files WHERE NOT deleted AND contains(body, $1)
         UNION ALL SELECT 1 FROM training_jobs WHERE NOT ended AND contains(body, $1)
         UNION ALL SELECT 1 FROM training_jobs j JOIN training_specs s ON s.job = j.number
           WHERE NOT j.ended AND s.kind = 'sft' AND contains(s.body, $1)
         LIMIT 1`,
        [named],
      );
      return found!.length > 0;
    },

    job: (id) => one<Job>("job", "SELECT body FROM training_jobs WHERE id = ?", [id]),
    spec: (jobId) => readSpec(database, jobId),
    jobs({ modelId, statuses, order, after, limit }) {
      const conditions: Condition[] = [];
      if (modelId !== undefined) conditions.push(["model = ?", modelId]);
      if (statuses !== undefined) conditions.push(["state IN (SELECT unnest(?::VARCHAR[]))", statuses]);
      return page<Job>("job", "training_jobs", { conditions, order, after, limit });
    },
    waiting: (limit) =>
      all<Job>(
        "job",
        `SELECT body FROM (
           SELECT j.body, j.created, j.id FROM training_jobs j JOIN training_models m ON m.id = j.model
           WHERE j.state = 'queued' AND NOT m.deleted AND NOT m.busy
           QUALIFY row_number() OVER (PARTITION BY j.model ORDER BY j.place) = 1
         ) ORDER BY created, id LIMIT ?::BIGINT`,
        [limit],
      ),
    events: (jobId, { afterSeq, types, limit }) =>
      all<JobEvent>(
        "event",
        `SELECT body FROM training_events
         WHERE job = ${JOB_NUMBER} AND seq > ? ${types === undefined ? "" : "AND type IN (SELECT unnest(?::VARCHAR[]))"}
         ORDER BY seq LIMIT ?::BIGINT`,
        [jobId, afterSeq, ...(types === undefined ? [] : [types]), limit],
      ),
    event: (jobId, id) =>
      one<JobEvent>("event", `SELECT body FROM training_events WHERE job = ${JOB_NUMBER} AND id = ?`, [
        jobId,
        id,
      ]),

    file: (id) => one<TrainingFile>("file", "SELECT body FROM training_files WHERE id = ?", [id]),
    files({ project, purpose, order, after, limit }) {
      const conditions: Condition[] = [["NOT deleted"]];
      if (project !== undefined) conditions.push(["project = ?", projectKey(project)]);
      if (purpose !== undefined) conditions.push(["purpose = ?", purpose]);
      return page<TrainingFile>("file", "training_files", { conditions, order, after, limit });
    },

    reply: (key) =>
      one<Reply>("reply", "SELECT body FROM training_replies WHERE key_text = ?", [JSON.stringify(key)]),
  };
}

function parsed<T>(what: string, body: string): T {
  try {
    return JSON.parse(body) as T;
  } catch (error) {
    throw new Fault("corrupt", `a ${what} in the training tables cannot be read`, {
      cause: error,
      file: DATABASE_FILE,
    });
  }
}

// Writes changes of the training tables: atomically, one at a time, and only if they fit what is stored.

import { jsonPieces, timeSlice } from "@assay/base/internal";
import type { Change, TrainingSpec } from "@assay/training-core";
import { hasEnded, statusOf } from "@assay/training-core/store-parts";
import type { Database, Transaction } from "../database/database.ts";
import { groupCommit } from "../records/group-commit.ts";
import { projectKey } from "../tracking/project-key.ts";
import { keyOfName } from "./key-of-name.ts";

/** A stored row: its number in this store (jobs only), and its version. */
interface Known {
  readonly number: number;
  readonly version: number;
}

/** Creates the `commit` of a training store. */
export function commits(database: Database): (change: Change) => Promise<boolean> {
  const write = groupCommit(database);
  return async (change) => {
    const spec = change.spec && (await specTexts(change.spec.spec));
    return write((transaction) => writeOne(transaction, change, spec));
  };
}

// The size in characters of text passed to DuckDB in one piece, which takes a few milliseconds. The name of an SFT
// job's data is at the beginning, so `usesBlob` finds it in the first piece.
const PIECE = 2 ** 20;

/** The text of a job's training data, which may be a hundred megabytes, in pieces that each become a row. */
async function specTexts(spec: TrainingSpec): Promise<readonly string[]> {
  const pause = timeSlice();
  const texts: string[] = [];
  let text = "";
  for (const piece of jsonPieces(spec)) {
    text += piece;
    if (text.length >= PIECE) {
      texts.push(text);
      text = "";
    }
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return text === "" ? texts : [...texts, text];
}

/** Writes a change if it fits, and resolves to whether it did. Otherwise the transaction is unchanged. */
async function writeOne(
  transaction: Transaction,
  change: Change,
  texts: readonly string[] = [],
): Promise<boolean> {
  const { model, jobs = [], spec, checkpoints = [], files = [], reply, at } = change;
  const modelBefore = model === undefined ? 0 : await modelVersion(transaction, model.id);
  if (model !== undefined) {
    if (model.version !== modelBefore + 1) return false;
    if (model.deleted === undefined && (await isTaken(transaction, model.id, keyOfName(model)))) return false;
  }
  const known: (Known | undefined)[] = [];
  for (const { job, events } of jobs) {
    const before = await knownJob(transaction, job.id);
    const version = before?.version ?? 0;
    if (job.version !== version + events.length) return false;
    if (events.some(({ seq }, i) => seq !== version + 1 + i)) return false;
    known.push(before);
  }
  if (reply !== undefined && (await holds(transaction, reply.key, at))) return false;

  if (model !== undefined) await writeModel(transaction, model, modelBefore === 0);
  for (const [i, written] of jobs.entries()) await writeJob(transaction, written, known[i]);
  if (spec !== undefined) {
    for (const text of texts)
      await transaction.run(
        "INSERT INTO training_specs SELECT number, ?, ? FROM training_jobs WHERE id = ?",
        [spec.spec.kind, text, spec.jobId],
      );
  }
  for (const { job } of jobs) if (hasEnded(job.state)) await forgetSpec(transaction, job.id);
  for (const checkpoint of checkpoints) await writeCheckpoint(transaction, checkpoint);
  for (const file of files) await writeFile(transaction, file);
  if (reply !== undefined) {
    await transaction.run("DELETE FROM training_replies WHERE expires <= ?", [at]);
    await transaction.run("INSERT INTO training_replies VALUES (?, ?, ?)", [
      JSON.stringify(reply.key),
      reply.expiresAt,
      JSON.stringify(reply),
    ]);
  }
  return true;
}

async function modelVersion(transaction: Transaction, id: string): Promise<number> {
  const [versions] = await transaction.columns("SELECT version FROM training_models WHERE id = ?", [id]);
  return (versions![0] ?? 0) as number;
}

async function knownJob(transaction: Transaction, id: string): Promise<Known | undefined> {
  const [numbers, versions] = await transaction.columns(
    "SELECT number, version FROM training_jobs WHERE id = ?",
    [id],
  );
  return numbers!.length === 0
    ? undefined
    : { number: numbers![0] as number, version: versions![0] as number };
}

/** Whether another model that is not deleted has this name. */
async function isTaken(transaction: Transaction, id: string, name: string): Promise<boolean> {
  const [holders] = await transaction.columns(
    "SELECT id FROM training_models WHERE name_key = ? AND NOT deleted AND id <> ?",
    [name, id],
  );
  return holders!.length > 0;
}

/** Whether a reply with this key is still remembered. */
async function holds(transaction: Transaction, key: string, at: number): Promise<boolean> {
  const [expires] = await transaction.columns(
    "SELECT expires FROM training_replies WHERE key_text = ? AND expires > ?",
    [JSON.stringify(key), at],
  );
  return expires!.length > 0;
}

async function writeModel(
  transaction: Transaction,
  model: NonNullable<Change["model"]>,
  fresh: boolean,
): Promise<void> {
  const { version, deleted, activeJob } = model;
  const state = [version, deleted !== undefined, activeJob !== undefined, JSON.stringify(model)] as const;
  if (fresh) {
    await transaction.run("INSERT INTO training_models VALUES (?, ?, ?, ?, ?, ?, ?)", [
      model.id,
      keyOfName(model),
      model.createdAt,
      ...state,
    ]);
  } else {
    await transaction.run(
      "UPDATE training_models SET version = ?, deleted = ?, busy = ?, body = ? WHERE id = ?",
      [...state, model.id],
    );
  }
}

async function writeJob(
  transaction: Transaction,
  { job, events }: NonNullable<Change["jobs"]>[number],
  known: Known | undefined,
): Promise<void> {
  const number = known?.number ?? (await nextNumber(transaction));
  // The column `state` is for listing jobs: it has the status that they show.
  const state = [job.version, statusOf(job), hasEnded(job.state), JSON.stringify(job)] as const;
  if (known === undefined) {
    await transaction.run("INSERT INTO training_jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [
      number,
      job.id,
      job.modelId,
      job.number,
      job.createdAt,
      ...state,
    ]);
  } else {
    await transaction.run(
      "UPDATE training_jobs SET version = ?, state = ?, ended = ?, body = ? WHERE number = ?",
      [...state, number],
    );
  }
  if (events.length === 0) return;
  await transaction.append("training_events", [
    { type: "DOUBLE", values: events.map(() => number) },
    { type: "DOUBLE", values: events.map(({ seq }) => seq) },
    { type: "VARCHAR", values: events.map(({ id }) => id) },
    { type: "VARCHAR", values: events.map(({ type }) => type) },
    { type: "VARCHAR", values: events.map((event) => JSON.stringify(event)) },
  ]);
}

/** Removes the training data of an ended job, which is no longer needed and may be a hundred megabytes. */
async function forgetSpec(transaction: Transaction, jobId: string): Promise<void> {
  await transaction.run(
    "DELETE FROM training_specs WHERE job = (SELECT number FROM training_jobs WHERE id = ?)",
    [jobId],
  );
}

async function nextNumber(transaction: Transaction): Promise<number> {
  const [highest] = await transaction.columns("SELECT coalesce(max(number), 0) FROM training_jobs");
  return (highest![0] as number) + 1;
}

async function writeFile(
  transaction: Transaction,
  file: NonNullable<Change["files"]>[number],
): Promise<void> {
  const { id, purpose, createdAt, deletedAt } = file;
  await transaction.run("DELETE FROM training_files WHERE id = ?", [id]);
  await transaction.run("INSERT INTO training_files VALUES (?, ?, ?, ?, ?, ?)", [
    id,
    projectKey(file),
    purpose,
    createdAt,
    deletedAt !== undefined,
    JSON.stringify(file),
  ]);
}

async function writeCheckpoint(
  transaction: Transaction,
  checkpoint: NonNullable<Change["checkpoints"]>[number],
): Promise<void> {
  const { id, modelId, step, deletedAt } = checkpoint;
  await transaction.run("DELETE FROM training_checkpoints WHERE model = ? AND id = ?", [modelId, id]);
  await transaction.run("INSERT INTO training_checkpoints VALUES (?, ?, ?, ?, ?)", [
    modelId,
    step,
    id,
    deletedAt !== undefined,
    JSON.stringify(checkpoint),
  ]);
}

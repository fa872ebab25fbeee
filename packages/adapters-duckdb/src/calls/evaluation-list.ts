// The list of a project's evaluations: computed once, saved in the index, and brought up to date with the changes.

import { serialQueue } from "@assay/base/internal";
import { isPredictAndScore } from "@assay/calls";
import type { EvaluationEntry } from "@assay/eval-engine";
import { byStart, evaluationEntry } from "@assay/eval-engine/internal";
import type { Database, Transaction } from "../database/database.ts";
import type { Project, Projects } from "../database/projects.ts";
import { idHash } from "../records/id-hash.ts";
import type { Journal } from "../records/journal.ts";
import { changedHashes, countByParent, findById, opNames } from "./call-index.ts";
import { readCallTextsInTurns } from "./call-text.ts";
import type { Counts } from "./evaluation-tally.ts";

/** The stores that listing evaluations requires. */
export interface EvaluationsParts {
  readonly database: Database;
  /** The journal of calls. */
  readonly journal: Journal;
  readonly projects: Projects;
  readonly seed: number;
  readonly readOnly: boolean;
}

/** A cached evaluation: `counts` is undefined until they are first requested. */
interface CachedEvaluation {
  readonly entry: EvaluationEntry;
  readonly counts: Counts | undefined;
}

/** The evaluations of a project. */
export interface EvaluationList {
  /** The project's version that it reflects. */
  version: number;
  /** By hash of the id. */
  readonly kept: Map<number, CachedEvaluation>;
  /** In order; undefined after one of them has changed. */
  ordered: readonly EvaluationEntry[] | undefined;
  /** Those whose saved state is outdated. */
  readonly unsaved: Set<number>;
  /** Bytes that were read for the unsaved state. */
  unsavedBytes: number;
  /** The number of callers that wait for it or read it. */
  users: number;
  /** Runs what reads or changes it, one at a time. */
  readonly next: ReturnType<typeof serialQueue>;
}

/** A list that is not loaded yet. */
export function emptyList(): EvaluationList {
  return {
    ...{ version: 0, kept: new Map(), ordered: undefined, users: 0, next: serialQueue() },
    ...{ unsaved: new Set(), unsavedBytes: 0 },
  };
}

/** Brings a list to the version of its project. */
export async function updateList(
  parts: EvaluationsParts,
  list: EvaluationList,
  project: Project,
): Promise<void> {
  if (list.version === 0) await loadSaved(parts, list, project);
  if (list.version !== project.version) await addChanges(parts, list, project);
}

/** Loads the saved state of a list. */
async function loadSaved(
  { database }: EvaluationsParts,
  list: EvaluationList,
  { number, version }: Project,
): Promise<void> {
  const [versions] = await database.columns("SELECT version FROM evaluation_lists WHERE project = ?", [
    number,
  ]);
  const saved = (versions![0] as number | undefined) ?? 0;
  // A future version does not belong to these calls.
  if (saved === 0 || saved > version) return;
  const [hashes, bodies] = await database.columns("SELECT id_hash, body FROM evaluations WHERE project = ?", [
    number,
  ]);
  const kept = JSON.parse(`[${bodies!.join(",")}]`) as readonly CachedEvaluation[];
  for (const [i, one] of kept.entries()) list.kept.set(hashes![i] as number, one);
  list.version = saved;
}

async function addChanges(
  { database, journal, seed }: EvaluationsParts,
  list: EvaluationList,
  { number, version }: Project,
): Promise<void> {
  const since = list.version;
  if (list.kept.size > 0) {
    for (const hash of await changedHashes(database, number, since))
      if (list.kept.delete(hash)) list.unsaved.add(hash);
  }
  const trials = await countByParent(database, number, await trialOps(database, number), since);
  const roots = (await findById(database, number, [...trials.keys()])).filter(
    ({ deletedAt }) => deletedAt === null,
  );
  for (const { call } of await readCallTextsInTurns(journal, roots)) {
    const hash = idHash(call.id, number, seed);
    const entry = evaluationEntry(call, trials.get(hash) ?? 0);
    list.kept.set(hash, { entry, counts: undefined });
    list.unsaved.add(hash);
  }
  for (const { size } of roots) list.unsavedBytes += size;
  list.ordered = undefined;
  list.version = version;
}

/** The names of a project's ops whose calls are trials. */
export async function trialOps(database: Database, project: number): Promise<readonly string[]> {
  return (await opNames(database, project)).filter((op_name) => isPredictAndScore({ op_name }));
}

/** The evaluations of a list, in order. */
export function orderOf(list: EvaluationList): readonly EvaluationEntry[] {
  list.ordered ??= byStart(Array.from(list.kept.values(), ({ entry }) => entry));
  return list.ordered;
}

/** Saves a list. Never rejects. */
export async function saveList(
  { database, readOnly }: EvaluationsParts,
  number: number,
  list: EvaluationList,
): Promise<void> {
  list.unsavedBytes = 0;
  if (readOnly || list.unsaved.size === 0) return;
  try {
    await database.write((transaction) => writeList(transaction, number, list));
    list.unsaved.clear();
  } catch {
    // Unsaved state is computed again.
  }
}

async function writeList(
  transaction: Transaction,
  project: number,
  { version, kept, unsaved }: EvaluationList,
): Promise<void> {
  const hashes = [...unsaved];
  await transaction.run("DELETE FROM evaluation_lists WHERE project = ?", [project]);
  await transaction.run("INSERT INTO evaluation_lists VALUES (?, ?)", [project, version]);
  await transaction.run(
    "DELETE FROM evaluations WHERE project = ? AND id_hash IN (SELECT unnest(?::DOUBLE[]))",
    [project, hashes],
  );
  const there = hashes.filter((hash) => kept.has(hash));
  if (there.length === 0) return;
  await transaction.append("evaluations", [
    { type: "INTEGER", same: project, count: there.length },
    { type: "DOUBLE", values: there },
    { type: "VARCHAR", values: there.map((hash) => JSON.stringify(kept.get(hash))) },
  ]);
}

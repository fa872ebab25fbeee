// Finds the records to delete with evaluations or a project: calls with all descendants, feedback on these calls, and
// dataset rows that nothing else refers to.

import { Fault } from "@assay/base";
import { rowIdOf } from "@assay/calls";
import { type FoundCall, findById, findChildren } from "../call-index.ts";
import { readCallTexts } from "../call-text.ts";
import type { Database } from "../database.ts";
import { idHash } from "../id-hash.ts";
import type { Journal, Place } from "../journal.ts";
import { findRecords, placesOf } from "../record-index.ts";

/** Records to delete, by the position of each in its journal. */
export interface DoomedRecords {
  readonly calls: ReadonlySet<number>;
  readonly dataset_rows: ReadonlySet<number>;
  readonly feedback: ReadonlySet<number>;
}

/** What is read to find them. */
export interface DeletionParts {
  readonly database: Database;
  readonly seed: number;
  readonly calls: Journal;
  readonly rows: Journal;
  readonly objects: Journal;
}

const BATCH = 4096;
const ROW_REF = /weave:\/\/\/[^"\\\s]*\/attr\/rows\/id\/[^"\\\s/]+/g;

/** The records of some evaluations. Throws a `missing` fault if one of them does not exist. */
export async function doomedRecords(
  parts: DeletionParts,
  project: number,
  evaluations: readonly string[],
): Promise<DoomedRecords> {
  const { places, ids, refs } = await evaluationCalls(parts, project, evaluations);
  const feedback = await feedbackAbout(parts, project, ids);
  const kept = new Set<string>();
  for await (const texts of otherCalls(parts, project, places))
    for (const text of texts) for (const [ref] of text.matchAll(ROW_REF)) kept.add(rowIdOf(ref) ?? ref);
  for (const digest of await digestsOfTables(parts, project)) kept.add(digest);
  const doomed = new Set([...refs].map((ref) => rowIdOf(ref) ?? ref).filter((id) => !kept.has(id)));
  return { calls: places, feedback, dataset_rows: await rowsNamed(parts, project, doomed) };
}

/** The calls of evaluations, level by level, and the dataset rows that they refer to. */
async function evaluationCalls(
  { database, calls, seed }: DeletionParts,
  project: number,
  evaluations: readonly string[],
): Promise<{
  readonly places: ReadonlySet<number>;
  readonly ids: ReadonlySet<string>;
  readonly refs: ReadonlySet<string>;
}> {
  const places = new Set<number>();
  const ids = new Set(evaluations);
  const refs = new Set<string>();
  const take = (founds: readonly FoundCall[], fits: (id: string, parent: string | null) => boolean) =>
    readCallTexts(calls, founds).flatMap(({ call, text }, i) => {
      if (!fits(call.id, call.parent_id) || places.has(founds[i]!.at)) return [];
      places.add(founds[i]!.at);
      ids.add(call.id);
      for (const [ref] of text.matchAll(ROW_REF)) refs.add(ref);
      return [call.id];
    });
  const hash = (id: string) => idHash(id, project, seed);
  const roots = [...ids];
  // Trials exist even if their root was never logged; deleted calls are still on the disk.
  const there = new Set(take(await findById(database, project, roots.map(hash)), (id) => ids.has(id)));
  for (let level: readonly string[] = roots; level.length > 0; ) {
    const below: string[] = [];
    for (let i = 0; i < level.length; i += BATCH) {
      const parents = new Set(level.slice(i, i + BATCH));
      const founds = await findChildren(database, project, Array.from(parents, hash), "all");
      for (let from = 0; from < founds.length; from += BATCH)
        below.push(
          ...take(founds.slice(from, from + BATCH), (_, parent) => {
            if (!parents.has(parent ?? "")) return false;
            there.add(parent!);
            return true;
          }),
        );
    }
    level = below;
  }
  const missing = roots.find((id) => !there.has(id));
  if (missing !== undefined) throw new Fault("missing", `there is no evaluation ${missing}`);
  return { places, ids, refs };
}

async function* otherCalls(
  { database, calls }: DeletionParts,
  project: number,
  doomed: ReadonlySet<number>,
): AsyncGenerator<readonly string[]> {
  const all = placesOf(
    await database.columns(
      "SELECT place, size, crc FROM calls WHERE project = ? AND deleted_at IS NULL ORDER BY place",
      [project],
    ),
  ).filter(({ at }) => !doomed.has(at));
  for (let i = 0; i < all.length; i += BATCH) yield calls.texts(all.slice(i, i + BATCH));
}

async function feedbackAbout(
  { database, objects }: DeletionParts,
  project: number,
  ids: ReadonlySet<string>,
): Promise<ReadonlySet<number>> {
  return placesWhere(objects, await findRecords(database, "feedback", project, undefined), (text) => {
    const { weave_ref } = JSON.parse(text) as { readonly weave_ref: string };
    return ids.has(/\/call\/([^/]+)/.exec(weave_ref)?.[1] ?? "");
  });
}

async function digestsOfTables(
  { database, objects }: DeletionParts,
  project: number,
): Promise<readonly string[]> {
  const digests: string[] = [];
  for (const place of await findRecords(database, "row_tables", project, undefined))
    for (const text of objects.texts([place]))
      digests.push(...(JSON.parse(text) as { readonly rows: readonly string[] }).rows);
  return digests;
}

async function rowsNamed(
  { database, rows }: DeletionParts,
  project: number,
  names: ReadonlySet<string>,
): Promise<ReadonlySet<number>> {
  if (names.size === 0) return new Set();
  return placesWhere(rows, await findRecords(database, "dataset_rows", project, undefined), (text) => {
    const { digest, ref } = JSON.parse(text) as { readonly digest: string; readonly ref?: string };
    return names.has(ref === undefined ? digest : (rowIdOf(ref) ?? ref));
  });
}

function placesWhere(
  journal: Journal,
  places: readonly Place[],
  isDoomed: (text: string) => boolean,
): ReadonlySet<number> {
  const doomed = new Set<number>();
  for (let i = 0; i < places.length; i += BATCH) {
    const some = places.slice(i, i + BATCH);
    for (const [j, text] of journal.texts(some).entries()) if (isDoomed(text)) doomed.add(some[j]!.at);
  }
  return doomed;
}

// Finds the records to delete with evaluations or a project: calls with all descendants, feedback on these calls, and
// dataset rows that nothing else refers to.

import { Fault } from "@assay/base";
import { rowIdOf } from "@assay/calls";
import { rowRefsIn } from "@assay/calls/internal";
import { type FoundCall, findById, findChildren } from "../calls/call-index.ts";
import { readCallTexts } from "../calls/call-text.ts";
import type { Database } from "../database/database.ts";
import { idHash } from "../records/id-hash.ts";
import type { Journal, RecordLocation } from "../records/journal.ts";
import { findRecords, locationsOf } from "../records/record-index.ts";

/** Records to delete, by the position of each in its journal. */
export interface RecordsToDelete {
  readonly calls: ReadonlySet<number>;
  readonly dataset_rows: ReadonlySet<number>;
  readonly feedback: ReadonlySet<number>;
}

/** The data that is read to find them. */
export interface DeletionParts {
  readonly database: Database;
  readonly seed: number;
  readonly calls: Journal;
  readonly rows: Journal;
  readonly objects: Journal;
}

const BATCH = 4096;

/** The records of some evaluations. Throws a `missing` fault if one of them does not exist. */
export async function recordsToDelete(
  parts: DeletionParts,
  project: number,
  evaluations: readonly string[],
): Promise<RecordsToDelete> {
  const { locations, ids, refs } = await evaluationCalls(parts, project, evaluations);
  const feedback = await feedbackAbout(parts, project, ids);
  const used = new Set<string>();
  for await (const texts of otherCalls(parts, project, locations))
    for (const text of texts) for (const ref of rowRefsIn(text)) used.add(rowIdOf(ref) ?? ref);
  for (const digest of await digestsOfTables(parts, project)) used.add(digest);
  const unused = new Set([...refs].map((ref) => rowIdOf(ref) ?? ref).filter((id) => !used.has(id)));
  return { calls: locations, feedback, dataset_rows: await rowsNamed(parts, project, unused) };
}

/** The calls of evaluations, level by level, and the dataset rows that they refer to. */
async function evaluationCalls(
  { database, calls, seed }: DeletionParts,
  project: number,
  evaluations: readonly string[],
): Promise<{
  readonly locations: ReadonlySet<number>;
  readonly ids: ReadonlySet<string>;
  readonly refs: ReadonlySet<string>;
}> {
  const locations = new Set<number>();
  const ids = new Set(evaluations);
  const refs = new Set<string>();
  const take = (founds: readonly FoundCall[], fits: (id: string, parent: string | null) => boolean) =>
    readCallTexts(calls, founds).flatMap(({ call, text }, i) => {
      if (!fits(call.id, call.parent_id) || locations.has(founds[i]!.at)) return [];
      locations.add(founds[i]!.at);
      ids.add(call.id);
      for (const ref of rowRefsIn(text)) refs.add(ref);
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
  return { locations, ids, refs };
}

async function* otherCalls(
  { database, calls }: DeletionParts,
  project: number,
  excluded: ReadonlySet<number>,
): AsyncGenerator<readonly string[]> {
  const all = locationsOf(
    await database.columns(
      "SELECT place, size, crc FROM calls WHERE project = ? AND deleted_at IS NULL ORDER BY place",
      [project],
    ),
  ).filter(({ at }) => !excluded.has(at));
  for (let i = 0; i < all.length; i += BATCH) yield calls.texts(all.slice(i, i + BATCH));
}

async function feedbackAbout(
  { database, objects }: DeletionParts,
  project: number,
  ids: ReadonlySet<string>,
): Promise<ReadonlySet<number>> {
  return locationsWhere(objects, await findRecords(database, "feedback", project, undefined), (text) => {
    const { weave_ref } = JSON.parse(text) as { readonly weave_ref: string };
    return ids.has(/\/call\/([^/]+)/.exec(weave_ref)?.[1] ?? "");
  });
}

async function digestsOfTables(
  { database, objects }: DeletionParts,
  project: number,
): Promise<ReadonlySet<string>> {
  const digests = new Set<string>();
  for (const location of await findRecords(database, "row_tables", project, undefined))
    for (const text of objects.texts([location]))
      for (const digest of (JSON.parse(text) as { readonly rows: readonly string[] }).rows)
        digests.add(digest);
  return digests;
}

async function rowsNamed(
  { database, rows }: DeletionParts,
  project: number,
  names: ReadonlySet<string>,
): Promise<ReadonlySet<number>> {
  if (names.size === 0) return new Set();
  return locationsWhere(rows, await findRecords(database, "dataset_rows", project, undefined), (text) => {
    const { digest, ref } = JSON.parse(text) as { readonly digest: string; readonly ref?: string };
    return names.has(ref === undefined ? digest : (rowIdOf(ref) ?? ref));
  });
}

function locationsWhere(
  journal: Journal,
  locations: readonly RecordLocation[],
  matches: (text: string) => boolean,
): ReadonlySet<number> {
  const found = new Set<number>();
  for (let i = 0; i < locations.length; i += BATCH) {
    const some = locations.slice(i, i + BATCH);
    for (const [j, text] of journal.texts(some).entries()) if (matches(text)) found.add(some[j]!.at);
  }
  return found;
}

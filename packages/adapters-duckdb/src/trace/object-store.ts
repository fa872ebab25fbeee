// Versions of objects: one record each, numbered when it is put. A value may be large, so requests that do not need it
// are answered from heads, which are kept in an LRU cache once their records were read.

import { Fault, type Json, jsonText } from "@assay/base";
import { compareText, type LruCache, lruCache, parseJson, timeSlice } from "@assay/base/internal";
import type { ObjectStore, ObjectVersion } from "@assay/trace-core";
import type { NumberedHead, VersionHead } from "@assay/trace-core/internal";
import { mergeSortCooperatively } from "@assay/trace-core/store-parts";
import type { DatabaseReader } from "../database/database.ts";
import type { Journal, RecordLocation } from "../records/journal.ts";
import { readInTurns } from "../records/read-in-turns.ts";
import { OBJECTS_FILE } from "../records/record-files.ts";
import { addRecords, locationsOf } from "../records/record-index.ts";
import { type HashName, hashIn, type RecordParts, writeIn } from "./parts.ts";

interface Found {
  readonly location: RecordLocation;
  readonly head: NumberedHead;
}

/** Heads, by a key that identifies the record even after compaction has moved it. */
type Heads = LruCache<string, VersionHead>;

// A few hundred bytes each.
const HEADS_KEPT = 16_384;

/** Stores versions of objects in a data directory. */
export function duckdbObjectStore(parts: RecordParts): ObjectStore {
  const { database, journal, projects } = parts;
  const heads: Heads = lruCache(HEADS_KEPT);
  const find = (reader: DatabaseReader, project: number, objects: readonly string[] | undefined) =>
    findHeads(reader, { journal, heads }, project, objects, hashIn(parts, project));

  return {
    put: (version) =>
      writeIn(parts, version.project_id, async (transaction, project) => {
        const known = await find(transaction, project, [version.object_id]);
        const same = known.find(({ head: { digest } }) => digest === version.digest);
        if (same !== undefined) {
          if (same.head.deleted_at !== null)
            await transaction.run("UPDATE objects SET deleted_at = NULL WHERE place = ?", [same.location.at]);
          return;
        }
        const index = known.filter(({ head: { kind } }) => kind === version.kind).length;
        const locations = await journal.append([Buffer.from(jsonText(version))]);
        await addRecords(
          transaction,
          "objects",
          project,
          [hashIn(parts, project)(version.object_id)],
          locations,
          [
            { type: "DOUBLE", values: [index] },
            { type: "VARCHAR", values: [version.deleted_at] },
          ],
        );
      }),

    async versions(name, objects) {
      const project = projects.find(name);
      if (project === undefined) return [];
      const founds = await find(database, project.number, objects);
      const byName = (a: VersionHead, b: VersionHead) => compareText(a.object_id, b.object_id);
      return mergeSortCooperatively(
        founds.map(({ head }) => head),
        byName,
        { pause: timeSlice() },
      );
    },

    async values(name, wanted) {
      const project = projects.find(name);
      if (project === undefined) return wanted.map(() => null);
      const founds = await find(database, project.number, [...new Set(wanted.map((one) => one.object_id))]);
      const locations = new Map(founds.map(({ head, location }) => [versionKey(head), location]));
      const there = wanted.flatMap((head) => locations.get(versionKey(head)) ?? []);
      if (there.length < wanted.length)
        throw new Fault("missing", "a version of an object was erased while it was read");
      return readInTurns(there, (some) => journal.texts(some).map((text): Json => readVersion(text).val));
    },

    remove: (name, object, digests, deletedAt) =>
      writeIn(parts, name, async (transaction, project) => {
        const known = await find(transaction, project, [object]);
        const removed = known.filter(({ head: { digest } }) => digests.includes(digest));
        if (removed.length === 0) return;
        await transaction.run(
          "UPDATE objects SET deleted_at = ? WHERE place IN (SELECT unnest(?::DOUBLE[]))",
          [deletedAt, removed.map(({ location }) => location.at)],
        );
      }),
  };
}

/** The digest identifies a version of an object. */
function versionKey({ object_id, digest }: VersionHead): string {
  return `${digest} ${object_id}`;
}

/** The versions of these objects, or of all, in order of arrival. */
async function findHeads(
  reader: DatabaseReader,
  { journal, heads }: { readonly journal: Journal; readonly heads: Heads },
  project: number,
  objects: readonly string[] | undefined,
  hash: HashName,
): Promise<Found[]> {
  const among = objects === undefined ? "" : "AND name_hash IN (SELECT unnest(?::DOUBLE[]))";
  const columns = await reader.columns(
    `SELECT place, size, crc, version_index, deleted_at FROM objects WHERE project = ? ${among} ORDER BY place`,
    objects === undefined ? [project] : [project, objects.map(hash)],
  );
  const locations = locationsOf(columns);
  const [, , , indexes, deletedAts] = columns as readonly [
    unknown,
    unknown,
    unknown,
    readonly number[],
    readonly (string | null)[],
  ];
  const wanted = objects && new Set(objects);
  const known = locations.map((location) => heads.get(recordKey(location)));
  const unread = locations.filter((_, i) => known[i] === undefined);
  const read = (await readInTurns(unread, (some) => journal.texts(some).map(readHead))).values();
  return locations.flatMap((location, i) => {
    const head = known[i] ?? read.next().value!;
    heads.set(recordKey(location), head);
    if (wanted?.has(head.object_id) === false) return [];
    return [{ location, head: { ...head, deleted_at: deletedAts[i]!, version_index: indexes[i]! } }];
  });
}

function recordKey({ at, size, crc }: RecordLocation): string {
  return `${at} ${size} ${crc}`;
}

function readHead(text: string): VersionHead {
  const { val: _, ...head } = readVersion(text);
  return head;
}

function readVersion(text: string): ObjectVersion {
  try {
    return parseJson(text) as unknown as ObjectVersion;
  } catch (error) {
    throw new Fault("corrupt", "a version of an object is damaged", {
      cause: error,
      file: OBJECTS_FILE.name,
    });
  }
}

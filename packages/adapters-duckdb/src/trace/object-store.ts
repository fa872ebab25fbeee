// Versions of objects: each a record, numbered when it is put.

import { compareText, Fault, jsonText, parseJson } from "@assay/base";
import { type NumberedVersion, type ObjectStore, type ObjectVersion, sortInTurns } from "@assay/trace-core";
import type { Reader } from "../database.ts";
import { givingWay } from "../give-way.ts";
import type { Journal, Place } from "../journal.ts";
import { readInTurns } from "../read-in-turns.ts";
import { OBJECTS_FILE } from "../record-files.ts";
import { addRecords, placesOf } from "../record-index.ts";
import { type HashName, hashIn, type RecordParts, writeIn } from "./parts.ts";

interface Found {
  readonly place: Place;
  readonly version: NumberedVersion;
}

/** Keeps versions of objects in a data directory. */
export function duckdbObjectStore(parts: RecordParts): ObjectStore {
  const { database, journal, projects } = parts;

  return {
    put: (version) =>
      writeIn(parts, version.project_id, async (transaction, project) => {
        const hash = hashIn(parts, project);
        const known = await find(transaction, journal, project, [version.object_id], hash);
        const same = known.find(({ version: { digest } }) => digest === version.digest);
        if (same !== undefined) {
          if (same.version.deleted_at !== null)
            await transaction.run("UPDATE objects SET deleted_at = NULL WHERE place = ?", [same.place.at]);
          return;
        }
        const index = known.filter(({ version: { kind } }) => kind === version.kind).length;
        const places = await journal.append([Buffer.from(jsonText(version))]);
        await addRecords(transaction, "objects", project, [hash(version.object_id)], places, [
          { type: "DOUBLE", values: [index] },
          { type: "VARCHAR", values: [version.deleted_at] },
        ]);
      }),

    async versions(name, objects) {
      const project = projects.find(name);
      if (project === undefined) return [];
      const founds = await find(database, journal, project.number, objects, hashIn(parts, project.number));
      const versions = founds.map(({ version }) => version);
      const byName = (a: ObjectVersion, b: ObjectVersion) => compareText(a.object_id, b.object_id);
      return sortInTurns(versions, byName, { pause: givingWay() });
    },

    remove: (name, object, digests, deletedAt) =>
      writeIn(parts, name, async (transaction, project) => {
        const known = await find(transaction, journal, project, [object], hashIn(parts, project));
        const doomed = known.filter(({ version: { digest } }) => digests.includes(digest));
        if (doomed.length === 0) return;
        await transaction.run(
          "UPDATE objects SET deleted_at = ? WHERE place IN (SELECT unnest(?::DOUBLE[]))",
          [deletedAt, doomed.map(({ place }) => place.at)],
        );
      }),
  };
}

/** The versions of these objects, or of all, as they came. */
async function find(
  reader: Reader,
  journal: Journal,
  project: number,
  objects: readonly string[] | undefined,
  hash: HashName,
): Promise<Found[]> {
  const among = objects === undefined ? "" : "AND name_hash IN (SELECT unnest(?::DOUBLE[]))";
  const columns = await reader.columns(
    `SELECT place, size, crc, version_index, deleted_at FROM objects WHERE project = ? ${among} ORDER BY place`,
    objects === undefined ? [project] : [project, objects.map(hash)],
  );
  const places = placesOf(columns);
  const [, , , indexes, deletedAts] = columns as readonly [
    unknown,
    unknown,
    unknown,
    readonly number[],
    readonly (string | null)[],
  ];
  const wanted = objects && new Set(objects);
  const versions = await readInTurns(places, (some) => journal.texts(some).map(readVersion));
  return versions.flatMap((version, i) => {
    if (wanted?.has(version.object_id) === false) return [];
    const numbered = { ...version, deleted_at: deletedAts[i]!, version_index: indexes[i]! };
    return [{ place: places[i]!, version: numbered }];
  });
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

// Feedback: one record each, found by id and by subject.

import { Fault, jsonText } from "@assay/base";
import { parseJson, timeSlice } from "@assay/base/internal";
import { microseconds } from "@assay/calls";
import type { Feedback, FeedbackStore } from "@assay/trace-core";
import type { DatabaseReader, Transaction } from "../database/database.ts";
import type { RecordLocation } from "../records/journal.ts";
import { inSlices, readInTurns } from "../records/read-in-turns.ts";
import { OBJECTS_FILE } from "../records/record-files.ts";
import { addRecords, findRecords, locationsOf, removeRecords } from "../records/record-index.ts";
import { hashIn, type RecordParts, writeIn, writeInAll } from "./parts.ts";

// How much feedback of a put is looked up and serialized without a pause: tens of milliseconds of work.
const SLICE = 4096;

/** Stores feedback in a data directory. */
export function duckdbFeedbackStore(parts: RecordParts): FeedbackStore {
  const { database, journal, projects } = parts;

  /** The locations of the feedback with these ids. */
  const find = async (
    reader: DatabaseReader,
    project: number,
    ids: ReadonlySet<string>,
  ): Promise<RecordLocation[]> => {
    const hashes = Array.from(ids, hashIn(parts, project));
    const locations = await findRecords(reader, "feedback", project, hashes);
    const feedback = await readInTurns(locations, (some) => journal.texts(some).map(readFeedback));
    return feedback.flatMap(({ id }, i) => (ids.has(id) ? [locations[i]!] : []));
  };

  const putIn = async (
    transaction: Transaction,
    project: number,
    feedback: readonly Feedback[],
  ): Promise<void> => {
    for (let i = 0; i < feedback.length; i += SLICE) {
      const some = new Map(feedback.slice(i, i + SLICE).map((one) => [one.id, one]));
      await removeRecords(transaction, "feedback", await find(transaction, project, new Set(some.keys())));
      await addIn(transaction, project, [...some.values()]);
    }
  };

  const addIn = async (
    transaction: Transaction,
    project: number,
    added: readonly Feedback[],
  ): Promise<void> => {
    const hash = hashIn(parts, project);
    const locations = await journal.append(added.map((one) => Buffer.from(jsonText(one))));
    const hashes = added.map(({ id }) => hash(id));
    await addRecords(transaction, "feedback", project, hashes, locations, [
      { type: "DOUBLE", values: added.map(({ weave_ref }) => hash(weave_ref)) },
      { type: "DOUBLE", values: Float64Array.from(added, ({ created_at }) => microseconds(created_at)) },
      { type: "VARCHAR", values: added.map(({ id }) => id) },
    ]);
  };

  return {
    async put(feedback) {
      const byProject = new Map<string, Feedback[]>();
      const pause = timeSlice();
      for (const one of feedback) {
        const own = byProject.get(one.project_id);
        if (own === undefined) byProject.set(one.project_id, [one]);
        else own.push(one);
        const turn = pause();
        if (turn !== undefined) await turn;
      }
      await writeInAll(parts, [...byProject.keys()], async (transaction, numbers) => {
        for (const [i, own] of [...byProject.values()].entries()) await putIn(transaction, numbers[i]!, own);
      });
    },

    async *scan(name, refs) {
      const project = projects.find(name);
      if (project === undefined) return;
      const among = refs === undefined ? "" : "AND about_hash IN (SELECT unnest(?::DOUBLE[]))";
      const order = "ORDER BY coalesce(created, 'Infinity'::DOUBLE), id";
      const locations = locationsOf(
        await database.columns(
          `SELECT place, size, crc FROM feedback WHERE project = ? ${among} ${order}`,
          refs === undefined ? [project.number] : [project.number, refs.map(hashIn(parts, project.number))],
        ),
      );
      const about = refs && new Set(refs);
      for await (const slice of inSlices(locations, ({ size }) => size)) {
        const feedback = journal.texts(slice).map(readFeedback);
        yield about === undefined ? feedback : feedback.filter(({ weave_ref }) => about.has(weave_ref));
      }
    },

    remove: (name, ids) =>
      writeIn(parts, name, async (transaction, project) =>
        removeRecords(transaction, "feedback", await find(transaction, project, new Set(ids))),
      ),
  };
}

function readFeedback(text: string): Feedback {
  try {
    return parseJson(text) as unknown as Feedback;
  } catch (error) {
    throw new Fault("corrupt", "a feedback is damaged", { cause: error, file: OBJECTS_FILE.name });
  }
}

// Files: each a record of its digest and its bytes.

import { Fault } from "@assay/base";
import type { FileStore } from "@assay/trace-core";
import type { Reader } from "../database.ts";
import { addRecords, findRecords } from "../record-index.ts";
import { hashIn, type RecordParts, writeIn } from "./parts.ts";

const NEWLINE = 0x0a;

/** Keeps files in a data directory. */
export function duckdbFileStore(parts: RecordParts): FileStore {
  const { database, journal, projects } = parts;

  const find = async (reader: Reader, project: number, digest: string): Promise<Uint8Array | undefined> => {
    const places = await findRecords(reader, "files", project, [hashIn(parts, project)(digest)]);
    let found: Uint8Array | undefined;
    journal.visit(places, (i, record) => {
      if (record === undefined)
        throw new Fault("corrupt", `a file is damaged, at byte ${places[i]!.at} of the files`);
      const end = record.indexOf(NEWLINE);
      // Copied, because a record is only good until this returns.
      if (JSON.parse(record.toString("utf8", 0, end)) === digest)
        found = Uint8Array.from(record.subarray(end + 1));
    });
    return found;
  };

  return {
    put: (name, digest, bytes) =>
      writeIn(parts, name, async (transaction, project) => {
        if ((await find(transaction, project, digest)) !== undefined) return;
        // As JSON, no digest has a line break in it.
        const head = Buffer.from(`${JSON.stringify(digest)}\n`);
        const places = await journal.append([Buffer.concat([head, bytes])]);
        await addRecords(transaction, "files", project, [hashIn(parts, project)(digest)], places);
      }),

    async get(name, digest) {
      const project = projects.find(name);
      return project && find(database, project.number, digest);
    },
  };
}

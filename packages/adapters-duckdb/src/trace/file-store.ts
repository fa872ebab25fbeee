// Files: one record each, with digest and bytes.

import { Fault } from "@assay/base";
import type { FileStore } from "@assay/trace-core";
import type { DatabaseReader } from "../database/database.ts";
import type { RecordLocation } from "../records/journal.ts";
import { FILES_FILE } from "../records/record-files.ts";
import { addRecords, findRecords } from "../records/record-index.ts";
import { hashIn, type RecordParts, writeIn } from "./parts.ts";

const NEWLINE = 0x0a;

/** Stores files in a data directory. */
export function duckdbFileStore(parts: RecordParts): FileStore {
  const { database, journal, projects } = parts;

  const find = async (
    reader: DatabaseReader,
    project: number,
    digest: string,
  ): Promise<readonly Uint8Array[] | undefined> => {
    for (const location of await findRecords(reader, "files", project, [hashIn(parts, project)(digest)])) {
      const [first, ...rest] = (await journal.pieces(location)) ?? damaged(location);
      const end = first!.indexOf(NEWLINE);
      if (JSON.parse(first!.toString("utf8", 0, end)) === digest) return [first!.subarray(end + 1), ...rest];
    }
    return undefined;
  };

  return {
    put: (name, digest, pieces) =>
      writeIn(parts, name, async (transaction, project) => {
        if ((await find(transaction, project, digest)) !== undefined) return;
        // As JSON, a digest has no line breaks.
        const head = Buffer.from(`${JSON.stringify(digest)}\n`);
        const location = await journal.appendLong([head, ...pieces]);
        await addRecords(transaction, "files", project, [hashIn(parts, project)(digest)], [location]);
      }),

    async get(name, digest) {
      const project = projects.find(name);
      return project && find(database, project.number, digest);
    },
  };
}

function damaged({ at }: RecordLocation): never {
  throw new Fault("corrupt", `a file is damaged, at byte ${at} of the files`, { file: FILES_FILE.name });
}

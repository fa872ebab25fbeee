// Columns that the engine has built, one file per evaluation. Files rather than blobs in DuckDB: they are read whole,
// straight into memory that the engine keeps. Losing one costs the time to build it again, so nothing is synced.

import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SegmentStore } from "@assay/eval-engine";
import { writeFault } from "./journal.ts";

/** Keeps segments in `directory`, made when needed. Those of a store with another id are never found. */
export function fileSegments(directory: string, storeId: string, readOnly: boolean): SegmentStore {
  // Hashed, so that no name from outside becomes a path.
  const path = (project: string, evaluation: string): string => {
    const name = createHash("sha256")
      .update(JSON.stringify([storeId, project, evaluation]))
      .digest("hex");
    return join(directory, `${name}.segment`);
  };

  return {
    async load(project, evaluation) {
      try {
        return await readFile(path(project, evaluation));
      } catch {
        return undefined;
      }
    },
    async save(project, evaluation, pieces) {
      if (readOnly) return;
      const target = path(project, evaluation);
      const partial = `${target}.${randomUUID()}`;
      try {
        await mkdir(directory, { recursive: true });
        await writeFile(partial, pieces, { flag: "wx" });
        await rename(partial, target);
      } catch (error) {
        await rm(partial, { force: true });
        throw writeFault(error, "a segment");
      }
    },
  };
}

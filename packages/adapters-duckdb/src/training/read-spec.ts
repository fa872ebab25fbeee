// Reads a job's training data, which may be a hundred megabytes: one row at a time, which works with little database
// memory, and parsed in steps.

import { Fault, type Steps } from "@assay/base";
import { inTurns, parseSteps, timeSlice } from "@assay/base/internal";
import type { TrainingSpec } from "@assay/training-core";
import type { Database } from "../database/database.ts";
import { DATABASE_FILE } from "../records/record-files.ts";
import { JOB_NUMBER } from "./job-number.ts";

/** The training data of the job with this id; undefined if it does not exist or was removed. */
export async function readSpec(database: Database, jobId: string): Promise<TrainingSpec | undefined> {
  const parts = await readParts(database, jobId);
  if (parts.length === 0) return undefined;
  try {
    return (await inTurns(specOf(parts), timeSlice())) as TrainingSpec;
  } catch (error) {
    throw new Fault("corrupt", "a job in the training tables cannot be read", {
      cause: error,
      file: DATABASE_FILE,
    });
  }
}

function* specOf(parts: readonly Buffer[]): Steps<unknown> {
  const text = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    at += part.copy(text, at);
    yield;
  }
  return yield* parseSteps(text, { decode, logged: false });
}

/** The rows of its text, in UTF-8. In a snapshot, so that row numbers stay valid. */
function readParts(database: Database, jobId: string): Promise<Buffer[]> {
  return database.snapshot(async (reader) => {
    const [rows] = await reader.columns(
      `SELECT rowid FROM training_specs WHERE job = ${JOB_NUMBER} ORDER BY rowid`,
      [jobId],
    );
    const parts: Buffer[] = [];
    for (const row of rows!) {
      const [[text]] = (await reader.columns("SELECT body FROM training_specs WHERE rowid = ?::BIGINT", [
        row!,
      ])) as [[string]];
      parts.push(Buffer.from(text));
    }
    return parts;
  });
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const decode = (bytes: Uint8Array): string => decoder.decode(bytes);

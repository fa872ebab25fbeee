// Uploaded files: stores their bytes under a name, lists and deletes them.

import { bad, ok, type Result } from "@assay/base";
import type { TrainingFile } from "../model/training-file.ts";
import type { FilePage } from "../ports/file-store.ts";
import { write } from "../state/change-job.ts";
import type { TrainingContext } from "../state/context.ts";
import { removeUnused } from "../state/remove-unused.ts";
import { type SharedListQuery, unknownCursor, visibleItem } from "./lists/list.ts";
import type { Page } from "./lists/page.ts";

/** The description of an uploaded file. */
export type FileDescription = Pick<TrainingFile, "entity" | "project" | "name" | "purpose">;

/** Which files to list. */
export interface FileQuery extends SharedListQuery<TrainingFile>, Pick<FilePage, "project" | "purpose"> {}

/**
 * Stores the bytes, then calls `describe`: in a form, the file may precede the fields that describe it. If `describe`
 * returns issues, nothing is stored. Further issues: `too_large` for more bytes than a job may have, and `empty`.
 */
export async function createFile(
  training: TrainingContext,
  bytes: AsyncIterable<Uint8Array>,
  describe: () => Promise<Result<FileDescription>>,
): Promise<Result<TrainingFile>> {
  const { maxDataBytes } = training.policy;
  let isTooLarge = false;
  async function* bounded(): AsyncGenerator<Uint8Array, void> {
    let size = 0;
    for await (const piece of bytes) {
      size += piece.length;
      isTooLarge = size > maxDataBytes;
      if (isTooLarge) throw new Error("it is too large");
      yield piece;
    }
  }
  let data: TrainingFile["data"];
  try {
    data = await training.artifacts.write(bounded());
  } catch (error) {
    // The store may throw any error for the interruption; the cause is that the file was too large.
    if (!isTooLarge) throw error;
    const message = `the file has more than ${maxDataBytes} bytes`;
    return bad([{ code: "too_large", path: ["file"], message }]);
  }
  const described = await describe();
  const filled = described.ok && data.size === 0 ? EMPTY : described;
  if (!filled.ok) {
    await removeUnused(training, [data]);
    return filled;
  }
  const { entity, project, name, purpose } = filled.value;
  const id = training.ids.next();
  const file: TrainingFile = { id, entity, project, name, purpose, data, createdAt: training.clock.now() };
  await write(training, { files: [file] });
  return ok(file);
}

const EMPTY: Result<never> = bad([
  { code: "empty", path: ["file"], message: "the file is empty: give it a line of JSON for each example" },
]);

/** A page of files. The issue `after` for a file that never existed. */
export async function listFiles(
  { store }: Pick<TrainingContext, "store">,
  { after, limit, order, project, purpose, mayKnow }: FileQuery,
): Promise<Result<Page<TrainingFile>>> {
  const last = after === undefined ? undefined : await visibleItem(store.file(after), mayKnow);
  if (after !== undefined && last === undefined) return unknownCursor("the list", "file", after);
  const found = await store.files({
    order,
    limit: limit + 1,
    ...(project && { project }),
    ...(purpose !== undefined && { purpose }),
    ...(last && { after: last }),
  });
  return ok({ items: found.slice(0, limit), hasMore: found.length > limit });
}

/**
 * Deletes a file. A job that reads its bytes keeps them until it has ended. Resolves to whether the file existed and
 * was not yet deleted.
 */
export async function deleteFile(training: TrainingContext, id: string): Promise<boolean> {
  const file = await training.store.file(id);
  if (file === undefined || file.deletedAt !== undefined) return false;
  await write(training, { files: [{ ...file, name: "", deletedAt: training.clock.now() }] });
  await removeUnused(training, [file.data]);
  return true;
}

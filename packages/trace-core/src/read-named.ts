// Requests that do no more than name something.

import type { Result } from "@assay/base";
import { type } from "arktype";
import { readBody } from "./read-body.ts";

/** Which call to read. */
export interface CallRead {
  /** `entity/project`. */
  readonly project_id: string;
  /** The call's id. */
  readonly id: string;
}

/** Which calls to delete, with everything below them. */
export interface CallDeletion {
  /** `entity/project`. */
  readonly project_id: string;
  /** At most 1,000. */
  readonly call_ids: readonly string[];
}

/** Which file to read. */
export interface FileRead {
  /** `entity/project`. */
  readonly project_id: string;
  /** The digest of its bytes. */
  readonly digest: string;
}

const Call = type({ project_id: "string", id: "string" });
const Deletion = type({ project_id: "string", call_ids: "string[] <= 1000" });
const File = type({ project_id: "string", digest: "string" });

/** Reads which call to read. */
export function readCallRead(given: unknown): Result<CallRead> {
  return readBody(Call, given);
}

/** Reads which calls to delete: at most 1,000 at once. */
export function readCallDeletion(given: unknown): Result<CallDeletion> {
  return readBody(Deletion, given);
}

/** Reads which file to read. */
export function readFileRead(given: unknown): Result<FileRead> {
  return readBody(File, given);
}

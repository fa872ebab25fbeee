// Requests that do no more than name something.

import { bad, ok, type Result } from "@assay/base";
import { type } from "arktype";
import { issuesOf } from "./issues-of.ts";

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
  const body = Call(given);
  return body instanceof type.errors ? bad(issuesOf(body, ["body"])) : ok(body);
}

/** Reads which calls to delete: at most 1,000 at once. */
export function readCallDeletion(given: unknown): Result<CallDeletion> {
  const body = Deletion(given);
  return body instanceof type.errors ? bad(issuesOf(body, ["body"])) : ok(body);
}

/** Reads which file to read. */
export function readFileRead(given: unknown): Result<FileRead> {
  const body = File(given);
  return body instanceof type.errors ? bad(issuesOf(body, ["body"])) : ok(body);
}

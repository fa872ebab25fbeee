// Requests that only name something.

import type { Result } from "@assay/base";
import { lazySchemas } from "@assay/base/internal";
import { type } from "arktype";
import { type Described, readBody } from "./read-body.ts";
import { unsupportedOptions } from "./unsupported-options.ts";

/** Which call to read. */
export interface CallRead {
  /** `entity/project`. */
  readonly project_id: string;
  /** The call's id. */
  readonly id: string;
  /** Whether to include its cost. */
  readonly include_costs?: boolean | null;
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

const schemas = lazySchemas(() => {
  /** The body that reads a call. */
  const CallBody = type({
    project_id: "string",
    id: "string",
    "include_costs?": "boolean|null",
    "include_storage_size?": unsupportedOptions().Sizes,
    "include_total_storage_size?": unsupportedOptions().Sizes,
    "+": "reject",
  });
  /** The body that deletes calls. */
  const DeletionBody = type({
    project_id: "string",
    call_ids: "string[] <= 1000",
    "wb_user_id?": unsupportedOptions().User,
    "+": "reject",
  });
  /** The body that reads a file. */
  const FileBody = type({ project_id: "string", digest: "string", "+": "reject" });
  return { CallBody, DeletionBody, FileBody };
});

/** The schemas, for an OpenAPI document. */
export const NAMED_SCHEMAS: () => Described<"CallBody" | "DeletionBody" | "FileBody"> = schemas;

/** Reads which call to read. */
export function readCallRead(given: unknown): Result<CallRead> {
  return readBody(schemas().CallBody, given);
}

/** Reads which calls to delete: at most 1,000 in one request. */
export function readCallDeletion(given: unknown): Result<CallDeletion> {
  return readBody(schemas().DeletionBody, given);
}

/** Reads which file to read. */
export function readFileRead(given: unknown): Result<FileRead> {
  return readBody(schemas().FileBody, given);
}

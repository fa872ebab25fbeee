// Reads values by a schema, with issues in the terms of the training interface.

import { bad, type Issue, type Result } from "@assay/base";
import { readAs, type Schema, schemaOf } from "@assay/base/internal";

/** The most issues in one answer: the first ones are enough to fix a thousand wrong rows. */
export const MOST_ISSUES = 20;

/**
 * `raw` as `schema` defines it, or the first issues: `missing` for a missing property, `type` for everything else.
 * Their paths start with `at`.
 */
export function readTyped<T>(schema: Schema<T>, raw: unknown, at: Issue["path"] = []): Result<T> {
  const read = readAs(schema, raw, { at, most: MOST_ISSUES });
  return read.ok ? read : bad(read.issues.map(inTrainingWords));
}

/** Like `readTyped`, for a schema without required properties, which would accept a list. */
export function readTypedObject<T>(schema: Schema<T>, raw: unknown, at: Issue["path"]): Result<T> {
  return readTyped(Array.isArray(raw) ? NOT_A_LIST : schema, raw, at);
}

const NOT_A_LIST = schemaOf<never>({ type: "object" });

function inTrainingWords(issue: Issue): Issue {
  return issue.code === "missing" ? { ...issue, message: "field required" } : { ...issue, code: "type" };
}

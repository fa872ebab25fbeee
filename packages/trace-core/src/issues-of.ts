// From what a schema found wrong to issues, in pydantic's words, which is what Weave clients know.

import type { Issue } from "@assay/base";
import type { ArkErrors } from "arktype";

// The first word that the schema's expectation contains decides; an array is an object too, so it comes before.
const TYPES: readonly (readonly [expected: string, code: string])[] = [
  ["array", "list_type"],
  ["object", "dict_type"],
  ["string", "string_type"],
  ["boolean", "bool_type"],
  ["integer", "int_type"],
  ["number", "int_type"],
];

/** The issues that `errors` are; each path begins with `at`. */
export function issuesOf(errors: ArkErrors, at: Issue["path"]): readonly Issue[] {
  return [...errors].map((error) => {
    const path = [...at, ...[...error.path].map((key) => (typeof key === "number" ? key : String(key)))];
    if (error.code === "required")
      return { code: "missing", path, message: `${String(path.at(-1))} is required` };
    const code = TYPES.find(([expected]) => error.expected.includes(expected))?.[1] ?? "value_error";
    return { code, path, message: `must be ${error.expected}` };
  });
}

// Reads an OpenAPI document for the reference. Missing parts are undefined or empty, and never an error.

import type { Json } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";

type JsonObject = { readonly [name: string]: Json };

/** One operation. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly of: JsonObject;
}

/** Operations without a tag belong to the server itself. */
const UNTAGGED = "results";

/** The operations, in the order of the document. */
export function operationsOf(document: Json): readonly Operation[] {
  return entriesOf(at(document, "paths")).flatMap(([path, item]) =>
    entriesOf(item).map(([method, of]) => ({
      id: textOf(at(of, "operationId")),
      method: method.toUpperCase(),
      path,
      tag: textOf(listOf(at(of, "tags"))[0], UNTAGGED),
      summary: textOf(at(of, "summary")),
      of: objectOf(of),
    })),
  );
}

/** A nested value; undefined if it does not exist. */
export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((of, name) => objectOf(of)[name], value);
}

/** The members of an object; empty for anything else. */
export function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return Object.entries(objectOf(value));
}

/** The items of a list; empty for anything else. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** A text; `otherwise` for anything else. */
export function textOf(value: Json | undefined, otherwise = ""): string {
  return typeof value === "string" ? value : otherwise;
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? (value as JsonObject) : {};
}

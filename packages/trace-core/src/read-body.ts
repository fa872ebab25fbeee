// Reading the body of a request by its schema, with issues whose paths begin with `body`.

import type { Result } from "@assay/base";
import { readAs, type Schema } from "@assay/base/internal";

/** The body `given` as `schema` has it, or what is wrong with it. */
export function readBody<T>(schema: Schema<T>, given: unknown): Result<T> {
  return readAs(schema, given, { at: ["body"] });
}

/** Schemas by name, as far as they describe themselves as JSON Schema. */
export type Described<Name extends string> = { readonly [name in Name]: { toJsonSchema(): object } };

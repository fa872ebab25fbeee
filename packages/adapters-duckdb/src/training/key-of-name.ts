// A model's name as the value of a column: three names in one text, unambiguously.

import type { ModelName } from "@assay/training-core";

/**
 * The key of a model's name; different names have different keys. JSON, because a column cannot hold half of a
 * surrogate pair.
 */
export function keyOfName({ entity, project, name }: ModelName): string {
  return JSON.stringify([entity, project, name]);
}

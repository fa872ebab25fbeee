// How a model's name is written in a column: one text for three, whatever is in them.

import type { ModelName } from "@assay/training-core";

/** Two names have one key when they are the same. JSON, because a column cannot hold half of a surrogate pair. */
export function keyOfName({ entity, project, name }: ModelName): string {
  return JSON.stringify([entity, project, name]);
}

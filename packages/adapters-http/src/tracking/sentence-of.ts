// Issues for a client that shows one text.

import type { Issue } from "@assay/base";

/** The issues as one text. */
export function sentenceOf(issues: readonly Issue[]): string {
  return issues
    .slice(0, 5)
    .map(({ message }) => message)
    .join("; ");
}

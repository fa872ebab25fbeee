// `$contains` with a constant over a column: searches each distinct text of the column once, and maps the results to
// values by code. The naive form is query-lang's `contains`.

import { contains } from "@assay/query-lang/internal";
import { FALSE, type Truths } from "../kernels/truth.ts";
import { truthOf } from "./map-predicate.ts";
import { TAG, type ValueColumn } from "./value-column.ts";

/**
 * Whether each value of a column, as text, contains `part`; null does not. `found` is the result of searching the
 * column's texts.
 */
export function containsText(
  column: ValueColumn,
  length: number,
  part: string,
  fold: boolean,
  found: Uint8Array,
): Truths {
  const truths = new Uint8Array(length);
  const [tags, codes] = [column.tags.array, column.codes.array];
  for (let i = 0; i < length; i++) {
    const tag = tags[i]!;
    if (tag >= TAG.text) truths[i] = found[codes[i]!]!;
    else if (tag === TAG.null) truths[i] = FALSE;
    else truths[i] = truthOf(contains(column.get(i), part, fold));
  }
  return truths;
}

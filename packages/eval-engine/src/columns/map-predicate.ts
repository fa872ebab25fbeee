// Applies a test of single values to a column. Each distinct text is tested once, and so is each of the three values
// that have neither a text nor a number.

import type { Json } from "@assay/base";
import type { Truth } from "@assay/query-lang";
import { FALSE, TRUE, type Truths, UNKNOWN } from "../kernels/truth.ts";
import { chunked, type Work } from "../kernels/work.ts";
import { TAG, type ValueColumn } from "./value-column.ts";

const NOT_YET = 3;

// The number of values tested between two checks of the time, and the work of one in array items touched.
const VALUES_AT_ONCE = 8192;
const VALUE_COST = 64;

/** `test` applied to each value of a column. */
export async function mapPredicate(
  column: ValueColumn,
  length: number,
  test: (value: Json) => Truth,
  work: Work,
): Promise<Truths> {
  const truths = new Uint8Array(length);
  const [tags, numbers, codes] = [column.tags.array, column.numbers.array, column.codes.array];
  const constant = [truthOf(test(null)), truthOf(test(false)), truthOf(test(true))];
  const ofText = new Uint8Array(column.texts.length).fill(NOT_YET);
  const ofJson = new Uint8Array(column.texts.length).fill(NOT_YET);
  await chunked(work, { length, slice: VALUES_AT_ONCE }, (from, to) => {
    for (let i = from; i < to; i++) {
      const tag = tags[i]!;
      if (tag <= TAG.true) truths[i] = constant[tag]!;
      else if (tag === TAG.number) truths[i] = truthOf(test(numbers[i]!));
      else {
        const known = tag === TAG.text ? ofText : ofJson;
        const code = codes[i]!;
        if (known[code] === NOT_YET) known[code] = truthOf(test(column.get(i)));
        truths[i] = known[code]!;
      }
    }
    return (to - from) * VALUE_COST;
  });
  return truths;
}

/** A truth as its byte. */
export function truthOf(truth: Truth): number {
  return truth === null ? UNKNOWN : truth ? TRUE : FALSE;
}

// The data of all rows of a frame, with references resolved.

import type { Json } from "@assay/base";
import type { RowSource } from "@assay/calls";
import { isReference } from "@assay/calls/internal";
import { chunked, PARSE_COST, type Work } from "../kernels/work.ts";
import type { Frame } from "./frame/frame.ts";

// How many rows one look-up reads: the first one, and at most.
const [FIRST, MOST] = [2048, 16_384];
/** About how many characters of rows one look-up reads. */
const CHARACTERS = 8 * 2 ** 20;
const SAMPLE = 16;
/** How many rows are read between two pauses. */
const SLICE = 256;

/**
 * How many rows a source is asked for at once, after a look-up that returned `rows`; without it, the first time. Rows are
 * in digest order, which is a random one for a source: each look-up may decompress all of its blocks. So a few large
 * look-ups take a fraction of the time of many small ones, as long as their rows fit in memory.
 */
export function lookUpSize(rows: readonly (Json | undefined)[] = []): number {
  const some = rows.slice(0, SAMPLE);
  if (some.length < SAMPLE) return FIRST;
  const each = JSON.stringify(some).length / SAMPLE;
  return Math.max(FIRST, Math.min(MOST, Math.floor(CHARACTERS / each)));
}

/** The data of all rows in order, some at a time; `exampleOf` returns what the trials of a row say of it. */
export async function* rowData(
  frame: Frame,
  exampleOf: (row: number) => Json,
  { source, project }: { readonly source: RowSource; readonly project: string },
  work: Work,
): AsyncGenerator<readonly Json[]> {
  let size = lookUpSize();
  for (let from = 0, length = 0; from < frame.length; from += length) {
    length = Math.min(size, frame.length - from);
    const examples: Json[] = [];
    await chunked(work, { length, slice: SLICE }, (first, end) => {
      for (let i = first; i < end; i++) examples.push(exampleOf(from + i));
      return (end - first) * PARSE_COST;
    });
    const refs = [...new Set(examples.filter(isReference))];
    const found = refs.length === 0 ? [] : await source.rows(project, refs);
    const resolved = new Map(refs.map((ref, i) => [ref, found[i]]));
    for (let i = 0; i < examples.length; i += SLICE) {
      yield examples.slice(i, i + SLICE).map((example) => {
        const row = isReference(example) ? resolved.get(example) : undefined;
        return row === undefined ? example : row;
      });
      const pause = work.spend(SLICE * PARSE_COST);
      if (pause !== undefined) await pause;
    }
    size = lookUpSize(found);
  }
}

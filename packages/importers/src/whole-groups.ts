// Items of one group that a file holds among others: a trial's spans, a sample's events. A group is given as soon as it
// is whole, so that only those are held that have begun and not ended, however long the file is.

import { DigestTable } from "./digest-table.ts";

/** A stream that can be read as often as needed. */
export type Reread<Item> = () => AsyncIterable<Item>;

/**
 * The groups of items with the same key, each whole, in the order in which they become whole. Items without a key are
 * left out. Reads twice: first to count.
 */
export async function* wholeGroups<Item>(
  read: Reread<Item>,
  keyOf: (item: Item) => string | undefined,
): AsyncGenerator<readonly Item[]> {
  const expected = new DigestTable(1);
  for await (const item of read()) {
    const key = keyOf(item);
    if (key !== undefined) expected.at(key)[0]!++;
  }
  const begun = new Map<string, Item[]>();
  for await (const item of read()) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = begun.get(key) ?? [];
    group.push(item);
    if (group.length < expected.at(key)[0]!) begun.set(key, group);
    else {
      begun.delete(key);
      yield group;
    }
  }
}

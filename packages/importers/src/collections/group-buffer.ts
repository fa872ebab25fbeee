// Collects items of a group that are scattered over a file: a trial's spans, a sample's events. A group is returned as
// soon as it is complete, so only unfinished groups are held, however long the file is.

import { DigestTable } from "./digest-table.ts";

/** A stream that can be read repeatedly. */
export type Reread<Item> = () => AsyncIterable<Item>;

/**
 * The groups of items with the same key, in order of completion. Items without a key are left out. Reads the stream
 * twice: first to count.
 */
export async function* bufferGroups<Item>(
  read: Reread<Item>,
  keyOf: (item: Item) => string | undefined,
): AsyncGenerator<readonly Item[]> {
  const expected = new DigestTable(1);
  for await (const item of read()) {
    const key = keyOf(item);
    if (key !== undefined) expected.at(key)[0]!++;
  }
  const buffered = new Map<string, Item[]>();
  for await (const item of read()) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = buffered.get(key) ?? [];
    group.push(item);
    if (group.length < expected.at(key)[0]!) buffered.set(key, group);
    else {
      buffered.delete(key);
      yield group;
    }
  }
}

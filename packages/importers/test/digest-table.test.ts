import { textDigest } from "@assay/calls/internal";
import { expect, test } from "vitest";
import { Dictionary, DigestTable } from "../src/collections/digest-table.ts";

const digests = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => textDigest(`${prefix}${i}`));

test("holds the entries of an equivalent Map, however often it grows", () => {
  const table = new DigestTable(2);
  const known = new Map<string, number>();
  for (const [i, digest] of [...digests("a", 5000), ...digests("a", 7000)].entries()) {
    expect(table.has(digest)).toBe(known.has(digest));
    const numbers = table.at(digest);
    expect(numbers[0]).toBe(known.get(digest) ?? 0);
    numbers.set([i + 1, 2 ** 32 - 1]);
    known.set(digest, i + 1);
  }
  expect(table.size).toBe(7000);
  for (const [digest, number] of known) expect([...table.at(digest)]).toEqual([number, 2 ** 32 - 1]);
});

test("a dictionary finds the texts of another", () => {
  const [a, b] = [new Dictionary(), new Dictionary()];
  for (const digest of digests("a", 30_000)) a.of(digest);
  for (const digest of digests("b", 10)) b.of(digest);
  for (let i = 0; i < 10; i++) expect(a.knownOf(b, i)).toBe(-1);
  for (const [i, digest] of digests("a", 20_000).entries())
    expect([a.known(digest), b.of(digest)]).toEqual([i, 10 + i]);
  for (let i = 0; i < 20_000; i++) expect(a.knownOf(b, 10 + i)).toBe(i);
});

test("pairs have one ordinal each", () => {
  const pairs = new Dictionary();
  const known = new Map<string, number>();
  for (let i = 0; i < 5000; i++) {
    const [a, b] = [i % 131, (i * 7) % 97];
    const ordinal = known.get(`${a},${b}`) ?? known.size;
    known.set(`${a},${b}`, ordinal);
    expect(pairs.ofPair(a, b)).toBe(ordinal);
  }
});

// The record of a new project's ids: a call is reported as new only if it certainly is.

import fc from "fast-check";
import { expect, test } from "vitest";
import { newProjectIds } from "../src/calls/new-project-ids.ts";

const id = fc.constantFrom(0, 1, 2, 3, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1, 4096, 8192);
const write = fc.record({
  number: fc.constantFrom(1, 2),
  fails: fc.boolean(),
  ids: fc.array(id, { maxLength: 4 }),
});

test("ids reported as new were never written", () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 8 }), (writes) => {
      const ids = newProjectIds();
      const written = new Map<number, Set<number>>();
      const versions = new Map<number, number>();
      for (const { number, fails, ids: hashes } of writes) {
        const there = written.get(number) ?? new Set();
        const isNew = ids.addNew({ number, version: versions.get(number) ?? 0 }, hashes);
        if (isNew) {
          expect(hashes.some((hash) => there.has(hash))).toBe(false);
          expect(new Set(hashes).size).toBe(hashes.length);
        }
        if (fails) continue;
        written.set(number, new Set([...there, ...hashes]));
        versions.set(number, (versions.get(number) ?? 0) + 1);
      }
    }),
  );
});

test("the calls of an import are new the first time only; a project that already had calls is unknown", () => {
  const ids = newProjectIds();
  const hashes = Array.from({ length: 20_000 }, (_, i) => i * 4096);
  expect(ids.addNew({ number: 1, version: 0 }, hashes)).toBe(true);
  expect(ids.addNew({ number: 1, version: 1 }, [1])).toBe(true);
  expect(ids.addNew({ number: 1, version: 2 }, [4096])).toBe(false);
  expect(ids.addNew({ number: 2, version: 1 }, [1])).toBe(false);
  // More calls than the record keeps.
  expect(ids.addNew({ number: 1, version: 2 }, new Array(2 ** 20).fill(2))).toBe(false);
  expect(ids.addNew({ number: 1, version: 2 }, [3])).toBe(false);
});

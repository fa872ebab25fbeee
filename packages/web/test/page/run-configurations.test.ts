// Settings differ exactly where a reader of both configurations would see different values.

import fc from "fast-check";
import { expect, test } from "vitest";
import { configurationsOf } from "../../src/page/views/training/run-configurations.ts";

const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.integer()));
const name = fc.constantFrom("rate", "data", "seed");
const configuration = fc.dictionary(name, fc.oneof(leaf, fc.dictionary(name, leaf, { minKeys: 1 })));

test("lists the settings in which runs differ, and counts the others", () => {
  const runs = [
    { rate: 0.1, data: { train: "a", seed: 1 }, _wandb: 1 },
    { rate: 0.2, data: { seed: 1 } },
  ];
  expect(configurationsOf([...runs, undefined])).toEqual({
    differing: [
      ["rate", ["0.1", "0.2", undefined]],
      ["data.train", ["a", undefined, undefined]],
    ],
    same: 1,
  });
});

test("equal configurations do not differ, and the order of runs only moves their values", () => {
  fc.assert(
    fc.property(configuration, configuration, (a, b) => {
      expect(configurationsOf([a, a, undefined]).differing).toEqual([]);
      const [forth, back] = [configurationsOf([a, b]), configurationsOf([b, a])];
      const turned = back.differing.map(([path, values]) => [path, values.toReversed()] as const);
      const byPath = (rows: typeof forth.differing) => rows.map((row) => JSON.stringify(row)).sort();
      expect([byPath(forth.differing), forth.same]).toEqual([byPath(turned), back.same]);
    }),
  );
});

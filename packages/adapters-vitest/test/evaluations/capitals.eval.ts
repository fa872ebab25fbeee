// A typical evaluation, which reporter.test.ts runs with Vitest.

import { expect, test } from "vitest";
import { trial } from "../../src/index.ts";

const answers = new Map([
  ["France", "Paris"],
  ["Peru", "Cusco"],
]);

test.for([
  ["France", "Paris"],
  ["Peru", "Lima"],
  ["Kenya", "Nairobi"],
] as const)("the capital of %s", ([country, expected], { task }) => {
  trial(task, { row: { country, expected } });
  const output = answers.get(country);
  if (output === undefined) throw new Error("the model broke off");
  trial(task, { output, scores: { exact: output === expected }, latency: 0.5, tokens: 7 });
  expect(output).toBe(expected);
});

// The first run fails and is retried; the second is the repetition.
let runs = 0;
test("is retried and repeated", { retry: 1, repeats: 1 }, ({ task }) => {
  trial(task, { row: { country: "Togo" } });
  if (runs++ === 0) throw new Error("the model was busy");
  trial(task, { output: `Lomé, ${runs}`, scores: { exact: true } });
});

test.skip("is not run", ({ task }) => trial(task, { row: { country: "Chile" } }));

test("is not a trial", () => {});

test("has no row", ({ task }) => trial(task, { output: "Paris" }));

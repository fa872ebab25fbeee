// The store runs the laws of the ports it implements.

import { callSourceLaws, rowSourceLaws, segmentStoreLaws } from "@assay/eval-engine/laws";
import { describe, test } from "vitest";
import { freshDirectory, openHere, written } from "./support.ts";

describe("calls", () => {
  const laws = callSourceLaws(async () => {
    const { calls } = await openHere(freshDirectory());
    return {
      source: calls,
      put: async (project, given) => void (await calls.put(project, given.map(written))),
    };
  });
  for (const { name, run } of laws) test(name, run);
});

describe("dataset rows", () => {
  const laws = rowSourceLaws(async () => {
    const { rows } = await openHere(freshDirectory());
    return { source: rows, put: async (project, given) => void (await rows.put(project, given)) };
  });
  for (const { name, run } of laws) test(name, run);
});

describe("segments", () => {
  const laws = segmentStoreLaws(async () => (await openHere(freshDirectory())).segments);
  for (const { name, run } of laws) test(name, run);
});

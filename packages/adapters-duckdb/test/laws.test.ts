// The store runs the laws of the ports it implements.

import { callScanLaws, callSourceLaws, callWriterLaws, rowScanLaws, rowSourceLaws } from "@assay/calls/laws";
import { textOf } from "@assay/calls/testing";
import { scoreDirectionsLaws, segmentStoreLaws } from "@assay/eval-engine/laws";
import { describe, test } from "vitest";
import { openFresh } from "./support.ts";

// Records are packed always or never: the laws hold for both journals.
describe.each([Number.POSITIVE_INFINITY, 1])("records packed from %d bytes on", (packedFrom) => {
  const open = () => openFresh({ packedFrom });

  describe("calls", () => {
    const laws = callSourceLaws(async () => {
      const { calls } = await open();
      return {
        source: calls,
        put: async (project, given) => void (await calls.put(project, given.map(textOf))),
      };
    });
    for (const { name, run } of laws) test(name, run);
  });

  describe("putting calls", () => {
    for (const { name, run } of callWriterLaws(async () => (await open()).calls)) test(name, run);
  });

  describe("listing calls", () => {
    for (const { name, run } of callScanLaws(async () => (await open()).calls)) test(name, run);
  });

  describe("dataset rows", () => {
    const laws = rowSourceLaws(async () => {
      const { rows } = await open();
      return { source: rows, put: async (project, given) => void (await rows.put(project, given)) };
    });
    for (const { name, run } of laws) test(name, run);
  });

  describe("putting and listing dataset rows", () => {
    for (const { name, run } of rowScanLaws(async () => (await open()).rows)) test(name, run);
  });
});

const open = () => openFresh();

describe("directions of scores", () => {
  for (const { name, run } of scoreDirectionsLaws(async () => (await open()).directions)) test(name, run);
});

describe("segments", () => {
  const laws = segmentStoreLaws(async () => (await open()).segments);
  for (const { name, run } of laws) test(name, run);
});

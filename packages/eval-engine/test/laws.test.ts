import type { CallInput } from "@assay/calls";
import { describe, test } from "vitest";
import { createEvalEngine, memoryCalls, memoryRows } from "../src/index.ts";
import { executionLaws, segmentStoreLaws } from "../src/laws/index.ts";
import { memorySegments } from "../src/segment/memory-segments.ts";

describe("memorySegments", () => {
  for (const law of segmentStoreLaws(memorySegments)) test(law.name, law.run);
});

describe("the engine's columns", () => {
  const open = () => {
    const calls = memoryCalls();
    const rows = memoryRows();
    return {
      execution: createEvalEngine({ calls, rows }),
      putCalls: async (project: string, given: readonly unknown[]) =>
        void calls.put(project, given as readonly CallInput[]),
      putRows: async (...[project, given]: Parameters<typeof rows.put>) => rows.put(project, given),
    };
  };
  for (const law of executionLaws(open)) test(law.name, law.run);
});

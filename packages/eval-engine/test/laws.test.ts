import { describe, test } from "vitest";
import { type CallInput, createEvalEngine, memoryCalls, memoryRows, memorySegments } from "../src/index.ts";
import { callSourceLaws, executionLaws, rowSourceLaws, segmentStoreLaws } from "../src/laws/index.ts";

describe("memoryCalls", () => {
  const open = () => {
    const source = memoryCalls();
    return {
      source,
      put: async (project: string, calls: readonly unknown[]) => {
        const put = source.put(project, calls as readonly CallInput[]);
        if (!put.ok) throw new Error(put.issues[0]!.message);
      },
    };
  };
  for (const law of callSourceLaws(open)) test(law.name, law.run);
});

describe("memoryRows", () => {
  const open = () => {
    const source = memoryRows();
    return {
      source,
      put: async (...[project, rows]: Parameters<typeof source.put>) => source.put(project, rows),
    };
  };
  for (const law of rowSourceLaws(open)) test(law.name, law.run);
});

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

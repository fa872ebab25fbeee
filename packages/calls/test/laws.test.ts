import { describe, test } from "vitest";
import { type CallInput, memoryCalls, memoryRows } from "../src/index.ts";
import { callSourceLaws, rowSourceLaws } from "../src/laws/index.ts";

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

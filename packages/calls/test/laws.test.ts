import { describe, test } from "vitest";
import { type Call, type CallInput, memoryCalls, memoryRows, memoryStore } from "../src/index.ts";
import {
  callScanLaws,
  callSourceLaws,
  callWriterLaws,
  rowScanLaws,
  rowSourceLaws,
} from "../src/laws/index.ts";
import { textOf } from "../src/testing/index.ts";

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

describe("memoryStore", () => {
  const source = () => {
    const { calls } = memoryStore();
    const put = async (project: string, given: readonly Call[]) =>
      void (await calls.put(project, given.map(textOf)));
    return { source: calls, put };
  };
  for (const law of callSourceLaws(source)) test(law.name, law.run);
  for (const law of callWriterLaws(() => memoryStore().calls)) test(law.name, law.run);
  for (const law of callScanLaws(() => memoryStore().calls)) test(law.name, law.run);

  const rows = () => {
    const { rows } = memoryStore();
    const put = async (...given: Parameters<typeof rows.put>) => void (await rows.put(...given));
    return { source: rows, put };
  };
  for (const law of rowSourceLaws(rows)) test(law.name, law.run);
  for (const law of rowScanLaws(() => memoryStore().rows)) test(law.name, law.run);
});

import { describe, expect, test } from "vitest";
import {
  type Call,
  type CallInput,
  type CallSource,
  type CallTree,
  memoryCalls,
  memoryRows,
  memoryStore,
} from "../src/index.ts";
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

describe("the laws detect faulty stores", () => {
  /** The laws that a store in memory violates with some methods replaced. */
  const brokenBy = async (replaced: (source: CallSource) => Partial<CallSource>) => {
    const laws = callSourceLaws(() => {
      const source = memoryCalls();
      const put = async (project: string, calls: readonly Call[]) => void source.put(project, calls);
      return { source: { ...source, ...replaced(source) }, put };
    });
    const ended = await Promise.allSettled(laws.map(({ run }) => run()));
    return laws.filter((_, i) => ended[i]!.status === "rejected").map(({ name }) => name);
  };

  test("calls sorted by id, or without repetitions", async () => {
    const name = "calls come in the order asked, as often as asked";
    const sorted = ({ calls }: CallSource): Partial<CallSource> => ({
      calls: (project, ids) => calls(project, [...ids].sort()),
    });
    const once = ({ calls }: CallSource): Partial<CallSource> => ({
      calls: (project, ids) => calls(project, [...new Set(ids)]),
    });
    expect(await brokenBy(sorted)).toEqual([name]);
    expect(await brokenBy(once)).toEqual([name]);
  });

  test("only the first thousand children", async () => {
    const capped = (source: CallSource): Partial<CallSource> => ({
      async *trees(project, root) {
        const all: CallTree[] = [];
        for await (const batch of source.trees(project, root)) all.push(...batch);
        yield all.slice(0, 1000);
      },
    });
    expect(await brokenBy(capped)).toEqual(["no child is left out, however many there are"]);
  });

  test("but a source need not report changes", async () => {
    expect(await brokenBy(() => ({ changes: () => undefined }))).toEqual([]);
  });
});

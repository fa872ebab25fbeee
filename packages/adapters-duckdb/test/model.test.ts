// The store against the engine's source in memory: whatever is put, moved, deleted and restarted in between, both hold
// the same calls; and whoever follows the store's changes from any version on knows the same as who reads it anew.

import type { CallTree } from "@assay/calls";
import { callOf, textOf } from "@assay/calls/testing";
import { type MemoryCalls, memoryCalls } from "@assay/eval-engine";
import fc from "fast-check";
import { expect, test } from "vitest";
import { freshDirectory, openHere } from "./support.ts";

const IDS = ["root", "a", "b", "c", "a1", "b1"];
const ROOTS = ["root", "a", "other"];
const AT = "2026-02-02T00:00:00Z";

const put = fc.record({
  kind: fc.constant("put" as const),
  calls: fc.array(
    fc.record({
      id: fc.constantFrom(...IDS),
      parent: fc.constantFrom(null, "root", "a", "b", "other"),
      output: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 5 },
  ),
});
const remove = fc.record({ kind: fc.constant("delete" as const), ids: fc.subarray(IDS) });
const restart = fc.record({ kind: fc.constant("restart" as const) });
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: put },
    { weight: 2, arbitrary: remove },
    { weight: 1, arbitrary: restart },
  ),
  { maxLength: 12 },
);

/** Trees by their call's id, as texts. */
function shown(trees: Iterable<CallTree>): Map<string, string> {
  const byId = new Map<string, string>();
  for (const { call, children } of trees) {
    byId.set(call.id, JSON.stringify([call, [...children].sort((a, b) => (a.id < b.id ? -1 : 1))]));
  }
  return byId;
}

async function treesOf(
  source: Pick<MemoryCalls, "trees">,
  project: string,
  root: string,
): Promise<Map<string, string>> {
  const trees: CallTree[] = [];
  for await (const batch of source.trees(project, root)) trees.push(...batch);
  return shown(trees);
}

test("the store holds what a source in memory holds, and tells its changes", async () => {
  const directory = freshDirectory();
  let store = await openHere(directory);
  let runs = 0;
  const property = fc.asyncProperty(steps, async (steps) => {
    const project = `project ${runs++}`;
    const memory = memoryCalls();
    const live = async (ids: readonly string[]): Promise<string[]> => {
      const found = await memory.calls(project, ids);
      return ids.filter((_, i) => found[i] !== undefined);
    };
    const snapshots: {
      readonly version: number;
      readonly root: string;
      readonly trees: Map<string, string>;
    }[] = [];
    const snapshot = async (): Promise<void> => {
      const version = await store.calls.version(project);
      for (const root of ROOTS)
        snapshots.push({ version, root, trees: await treesOf(memory, project, root) });
    };
    await snapshot();
    for (const step of steps) {
      if (step.kind === "restart") {
        await store.close();
        store = await openHere(directory);
      } else if (step.kind === "delete") {
        const deleted = await live(step.ids);
        memory.delete(project, deleted, AT);
        expect(await store.calls.delete(project, step.ids, AT)).toBe(deleted.length);
      } else {
        const calls = step.calls.map(({ id, parent, output }) => callOf(id, parent, { output }));
        memory.put(project, calls);
        await store.calls.put(project, calls.map(textOf));
      }
      await snapshot();
    }

    expect(await store.calls.calls(project, IDS)).toEqual(await memory.calls(project, IDS));
    for (const root of ROOTS) {
      expect(await treesOf(store.calls, project, root)).toEqual(await treesOf(memory, project, root));
    }
    for (const { version, root, trees } of snapshots) {
      const changes = await store.calls.changes(project, root, version);
      if (changes === undefined) continue;
      const live = changes.filter(({ call }) => call.deleted_at === null);
      for (const { call } of changes) if (call.deleted_at !== null) trees.delete(call.id);
      expect(new Map([...trees, ...shown(live)])).toEqual(await treesOf(memory, project, root));
    }
  });
  await fc.assert(property, { numRuns: Number(process.env["RUNS"] ?? 40) });
});

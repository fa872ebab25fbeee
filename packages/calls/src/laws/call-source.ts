// Laws of `CallSource`. `open` creates an empty source and a way to write to it.

import type { Law, Open } from "@assay/base";
import { expectSame, lawsFor } from "@assay/base/internal";
import type { Call, CallTree } from "../call/call.ts";
import type { CallSource } from "../ports/call-source.ts";
import { callOf } from "../testing/calls.ts";
import { changesSince } from "../testing/changes-since.ts";
import { MANY } from "./many.ts";

/** A source to test, and a way to write calls to it. */
export interface WritableCalls {
  /** The source. */
  readonly source: CallSource;
  /** Writes calls immediately; a call with an existing id replaces it. */
  readonly put: (project: string, calls: readonly Call[]) => Promise<void>;
}

/** The laws of a `CallSource`. `open` creates a new, empty one each time. */
export function callSourceLaws(open: Open<WritableCalls>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("a project that nothing was written to is empty, at version 0", async ({ source }) => {
      expectSame(await source.version(P), 0);
      expectSame(await source.calls(P, ["a"]), [undefined]);
      expectSame(await treesOf(source, "root"), []);
    }),

    law(
      "trees are the direct children of the root, each with its own direct children",
      async ({ source, put }) => {
        await put(P, [
          callOf("root", null),
          callOf("a", "root"),
          callOf("b", "root"),
          callOf("a1", "a"),
          callOf("a11", "a1"),
        ]);
        expectSame(await treesOf(source, "root"), ["a: a1", "b:"]);
        expectSame(await treesOf(source, "a"), ["a1: a11"]);
      },
    ),

    law("calls come in the order asked, as often as asked", async ({ source, put }) => {
      await put(P, [callOf("a", null), callOf("b", null), callOf("c", null)]);
      const asked = ["c", "none", "a", "c", "b"];
      const found = (await source.calls(P, asked)).map((one) => one?.id);
      expectSame(found, ["c", undefined, "a", "c", "b"]);
    }),

    law("no child is left out, however many there are", async ({ source, put }) => {
      const many = (parent: string) =>
        Array.from({ length: MANY }, (_, i) => callOf(`${parent}/${i}`, parent));
      await put(P, [...many("root"), ...many("root/7")]);
      const trees = await allTrees(source, "root");
      expectSame(new Set(trees.map(({ call }) => call.id)).size, MANY);
      const under = trees.find(({ call }) => call.id === "root/7")!.children;
      expectSame(new Set(under.map(({ id }) => id)).size, MANY);
    }),

    law("a child that comes before its parent is found all the same", async ({ source, put }) => {
      await put(P, [callOf("a1", "a")]);
      await put(P, [callOf("a", "root")]);
      expectSame(await treesOf(source, "root"), ["a: a1"]);
    }),

    law("the root need not exist", async ({ source, put }) => {
      await put(P, [callOf("a", "nowhere")]);
      expectSame(await treesOf(source, "nowhere"), ["a:"]);
    }),

    law("a call that is written again is as it was written last", async ({ source, put }) => {
      await put(P, [callOf("a", "root", { output: 1 })]);
      await put(P, [callOf("a", "root", { output: { deep: ["é", null, 0.1] } })]);
      const [tree] = await allTrees(source, "root");
      expectSame(tree!.call.output, { deep: ["é", null, 0.1] });
      expectSame(await treesOf(source, "root"), ["a:"]);
    }),

    law("every field of a call comes back as it was written", async ({ source, put }) => {
      const whole: Call = {
        id: "w",
        trace_id: "t",
        parent_id: "root",
        op_name: "weave:///acme/demo/op/f:v1",
        display_name: "näme",
        started_at: "2026-01-01T00:00:00.123456Z",
        ended_at: "2026-01-01T00:00:01Z",
        inputs: { self: "ref", list: [1, "2", null] },
        output: "text",
        attributes: { weave: { score: true } },
        summary: { usage: {} },
        exception: "ValueError",
        deleted_at: null,
      };
      await put(P, [whole]);
      expectSame((await source.calls(P, ["w"]))[0], whole);
    }),

    law("a deleted call is not there, and its children have no parent", async ({ source, put }) => {
      await put(P, [callOf("a", "root"), callOf("a1", "a"), callOf("b", "root"), callOf("b1", "b")]);
      await put(P, [callOf("a", "root", { deleted_at: "2026-01-01T00:00:00Z" })]);
      await put(P, [callOf("b1", "b", { deleted_at: "2026-01-01T00:00:00Z" })]);
      expectSame(await treesOf(source, "root"), ["b:"]);
      expectSame(
        (await source.calls(P, ["a", "b"])).map((one) => one?.id),
        [undefined, "b"],
      );
    }),

    law("the version grows with every write", async ({ source, put }) => {
      await put(P, [callOf("a", "root")]);
      const before = await source.version(P);
      await put(P, [callOf("b", "root")]);
      expectSame((await source.version(P)) > before, true);
    }),

    law("changes are the trees written to since, as they are now", async ({ source, put }) => {
      await put(P, [callOf("a", "root"), callOf("b", "root"), callOf("b1", "b")]);
      const before = await source.version(P);
      const unchanged = await changedTrees(source, "root", before);
      if (unchanged !== undefined) expectSame(unchanged, []);
      await put(P, [callOf("c", "root"), callOf("b2", "b"), callOf("z", "elsewhere")]);
      const changed = await changedTrees(source, "root", before);
      if (changed !== undefined) expectSame(changed, ["b: b1 b2", "c:"]);
    }),

    law("a deletion is a change, of the call or of the one it was a child of", async ({ source, put }) => {
      await put(P, [callOf("a", "root"), callOf("b", "root"), callOf("b1", "b")]);
      const before = await source.version(P);
      const gone = { deleted_at: "2026-01-01T00:00:00Z" };
      await put(P, [callOf("a", "root", gone), callOf("b1", "b", gone)]);
      const changed = await changesSince(source, P, "root", before);
      if (changed !== undefined)
        expectSame(
          changed
            .map((tree) => `${tree.call.id} ${tree.call.deleted_at !== null} ${tree.children.length}`)
            .sort(),
          ["a true 0", "b false 0"],
        );
    }),

    law("a call that moves to another parent is not passed over", async ({ source, put }) => {
      await put(P, [callOf("a", "root"), callOf("b", "root")]);
      const before = await source.version(P);
      await put(P, [callOf("a", "other")]);
      const changed = await changesSince(source, P, "root", before);
      const areComplete =
        changed === undefined ||
        changed.some((tree) => tree.call.id === "a" && tree.call.deleted_at !== null);
      expectSame(areComplete, true);
      expectSame(await treesOf(source, "root"), ["b:"]);
    }),

    law("projects do not see each other", async ({ source, put }) => {
      await put(P, [callOf("a", "root")]);
      await put("acme/other", [callOf("a", "root", { output: 2 }), callOf("b", "root")]);
      expectSame(await treesOf(source, "root"), ["a:"]);
      expectSame((await source.calls(P, ["a"]))[0]?.output, null);
    }),

    law("ids and projects are only ever values", async ({ source, put }) => {
      const hostile = `x'; DROP TABLE calls; -- "\\ \u0000 \u{1f600} %_`;
      await put(hostile, [callOf(hostile, hostile), callOf("child", hostile)]);
      const ids = (await source.calls(hostile, [hostile])).map((one) => one?.id);
      expectSame(ids, [hostile]);
      expectSame((await allTrees(source, hostile, hostile)).map((tree) => tree.call.id).sort(), [
        "child",
        hostile,
      ]);
    }),
  ];
}

const P = "acme/demo";

async function allTrees(source: CallSource, root: string, project = P): Promise<CallTree[]> {
  const trees: CallTree[] = [];
  for await (const batch of source.trees(project, root)) trees.push(...batch);
  return trees;
}

async function treesOf(source: CallSource, root: string): Promise<string[]> {
  return written(await allTrees(source, root));
}

async function changedTrees(source: CallSource, root: string, since: number): Promise<string[] | undefined> {
  const changed = await changesSince(source, P, root, since);
  return changed === undefined ? undefined : written(changed);
}

function written(trees: readonly CallTree[]): string[] {
  return trees
    .map(({ call: { id }, children }) => [`${id}:`, ...children.map((child) => child.id).sort()].join(" "))
    .sort();
}

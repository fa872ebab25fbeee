// Laws of stores of content: objects, tables, files, feedback and costs.

import type { Json, Law, Open } from "@assay/base";
import { expectSame, lawsFor } from "@assay/base/internal";
import type { CostStore, TokenCost } from "../ports/cost-store.ts";
import type { Feedback, FeedbackStore } from "../ports/feedback-store.ts";
import type { FileStore } from "../ports/file-store.ts";
import type { ObjectStore, ObjectVersion } from "../ports/object-store.ts";
import type { TableStore } from "../ports/table-store.ts";

const P = "acme/demo";
const T0 = "2026-01-01T00:00:00Z";
const T1 = "2026-01-01T00:00:01Z";

/** The laws of an `ObjectStore`. `open` creates an empty one each time. */
export function objectStoreLaws(open: Open<ObjectStore>): readonly Law[] {
  const law = lawsFor(open);
  const versions = async (store: ObjectStore, objects?: readonly string[]) =>
    (await store.versions(P, objects)).map(
      ({ object_id, digest, version_index }) => `${object_id} ${digest} ${version_index}`,
    );
  return [
    law("versions of an object are numbered in order of creation", async (store) => {
      await store.put(version("a", "z"));
      await store.put(version("b", "z"));
      await store.put(version("a", "y"));
      expectSame(await versions(store), ["a z 0", "a y 1", "b z 0"]);
      expectSame(await versions(store, ["b", "x"]), ["b z 0"]);
      expectSame(await store.versions("acme/other", undefined), []);
    }),

    law("putting an existing version changes nothing", async (store) => {
      await store.put(version("a", "x"));
      await store.put(version("a", "y"));
      await store.put({ ...version("a", "x"), created_at: T1 });
      expectSame(await versions(store), ["a x 0", "a y 1"]);
      const { val, ...head } = version("a", "x");
      const [first] = await store.versions(P, ["a"]);
      expectSame(first, { ...head, version_index: 0 });
      expectSame(await store.values(P, [first!]), [val]);
    }),

    law("an op and an object with the same name are numbered separately", async (store) => {
      await store.put(version("a", "x"));
      await store.put({ ...version("a", "y"), kind: "op" });
      expectSame(await versions(store), ["a x 0", "a y 0"]);
    }),

    law(
      "values are returned in the order of the heads, including those of deleted versions",
      async (store) => {
        const vals: Json[] = [{ a: ["é", null, 0.1] }, "text", null, 2 ** 60];
        for (const [i, val] of vals.entries()) await store.put({ ...version("a", `d${i}`), val });
        await store.put({ ...version("b", "d0"), val: "another object's" });
        await store.remove(P, "a", ["d1"], T1);
        const heads = (await store.versions(P, ["a"])).toReversed();
        expectSame(await store.values(P, heads), vals.toReversed());
        expectSame(await store.values(P, [heads[0]!, heads[0]!]), [2 ** 60, 2 ** 60]);
        expectSame(await store.values(P, []), []);
      },
    ),

    law(
      "a deleted version is marked, keeps its number, and is restored when it is put again",
      async (store) => {
        await store.put(version("a", "x"));
        await store.put(version("a", "y"));
        await store.remove(P, "a", ["x", "nothing"], T1);
        expectSame(
          (await store.versions(P, ["a"])).map(({ deleted_at }) => deleted_at),
          [T1, null],
        );
        await store.put(version("a", "x"));
        expectSame(
          (await store.versions(P, ["a"])).map(({ deleted_at }) => deleted_at),
          [null, null],
        );
        expectSame(await versions(store), ["a x 0", "a y 1"]);
      },
    ),
  ];
}

/** The laws of a `TableStore`. `open` creates an empty one each time. */
export function tableStoreLaws(open: Open<TableStore>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("a table lists its rows in order, including repeats", async (store) => {
      const rows = [
        { digest: "r1", val: { a: ["é", null, 0.1] } },
        { digest: "r2", val: { a: 2 } },
      ];
      await store.put(P, "t", ["r2", "r1", "r2"], rows);
      expectSame(await store.table(P, "t"), ["r2", "r1", "r2"]);
      const [first, second] = rows.map(({ val }) => val);
      expectSame(await store.rowValues(P, ["r1", "x", "r2"]), [first, undefined, second]);
    }),

    law("a table can list rows that another table added", async (store) => {
      await store.put(P, "t", ["r1"], [{ digest: "r1", val: 1 }]);
      await store.put(P, "u", ["r1", "r2"], [{ digest: "r2", val: 2 }]);
      expectSame(await store.rowValues(P, (await store.table(P, "u"))!), [1, 2]);
      expectSame(await store.table(P, "t"), ["r1"]);
    }),

    law("what is not there is undefined, and projects do not see each other", async (store) => {
      await store.put(P, "t", ["r1"], [{ digest: "r1", val: 1 }]);
      expectSame(await store.table(P, "x"), undefined);
      expectSame(await store.table("acme/other", "t"), undefined);
      expectSame(await store.rowValues("acme/other", ["r1"]), [undefined]);
    }),

    law("an empty table is a table", async (store) => {
      await store.put(P, "t", [], []);
      expectSame(await store.table(P, "t"), []);
    }),
  ];
}

/** The laws of a `FileStore`. `open` creates an empty one each time. */
export function fileStoreLaws(open: Open<FileStore>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("a file comes back byte by byte", async (store) => {
      await store.put(P, "f", [Uint8Array.of(0, 255, 10, 13)]);
      await store.put(P, "pieces", [Uint8Array.of(10), new Uint8Array(0), Uint8Array.of(13, 10)]);
      await store.put(P, "none", []);
      await store.put(P, "empty", [new Uint8Array(0)]);
      expectSame(await bytesOf(store, "f"), [0, 255, 10, 13]);
      expectSame(await bytesOf(store, "pieces"), [10, 13, 10]);
      expectSame(await bytesOf(store, "none"), []);
      expectSame(await bytesOf(store, "empty"), []);
    }),

    law("a file of several MiB comes back, and so do later puts", async (store) => {
      const long = Uint8Array.from({ length: 3 * 2 ** 20 + 1 }, (_, i) => i % 251);
      await store.put(P, "long", [long.subarray(0, 7), long.subarray(7)]);
      await store.put(P, "long", [long]);
      await store.put(P, "f", [Uint8Array.of(1)]);
      const found = await bytesOf(store, "long");
      expectSame(found?.length, long.length);
      expectSame(
        found?.findIndex((byte, i) => byte !== long[i]),
        -1,
      );
      expectSame(await bytesOf(store, "f"), [1]);
    }),

    law("what is not there is undefined, and projects do not see each other", async (store) => {
      await store.put(P, "f", [Uint8Array.of(1)]);
      expectSame(await store.get(P, "x"), undefined);
      expectSame(await store.get("acme/other", "f"), undefined);
    }),
  ];
}

/** The laws of a `FeedbackStore`. `open` creates an empty one each time. */
export function feedbackStoreLaws(open: Open<FeedbackStore>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law(
      "feedback is ordered by creation, then id, and limited to the requested references",
      async (store) => {
        await store.put([feedback("b", "x", T1), feedback("c", "x", T0), feedback("a", "y", T1)]);
        expectSame(await idsOf(store, undefined), ["c", "a", "b"]);
        expectSame(await idsOf(store, ["x"]), ["c", "b"]);
        expectSame(await idsOf(store, []), []);
      },
    ),

    law("feedback with an existing id replaces it", async (store) => {
      const second = { ...feedback("a", "x", T0), payload: { note: "é" } };
      await store.put([feedback("a", "x", T0)]);
      await store.put([second]);
      const found: Feedback[] = [];
      for await (const batch of store.scan(P, undefined)) found.push(...batch);
      expectSame(found, [second]);
    }),

    law("what is removed is gone, only in its project", async (store) => {
      await store.put([feedback("a", "x", T0), feedback("b", "x", T0)]);
      await store.put([{ ...feedback("a", "x", T0), project_id: "acme/other" }]);
      await store.remove(P, ["a", "nothing"]);
      expectSame(await idsOf(store, undefined), ["b"]);
      expectSame(await idsOf(store, undefined, "acme/other"), ["a"]);
    }),
  ];
}

/** The laws of a `CostStore`. `open` creates an empty one each time. */
export function costStoreLaws(open: Open<CostStore>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("costs come back as they were put, by creation, then id, only in their project", async (store) => {
      const [a, b, c] = [cost("a", T1), cost("b", T1), cost("c", T0)] as const;
      const other = { ...cost("a", T0), project_id: "acme/other" };
      await store.put([b, c, other]);
      await store.put([a]);
      expectSame(await store.all(P), [c, a, b]);
      expectSame(await store.all("acme/other"), [other]);
      expectSame(await store.all("acme/none"), []);
    }),

    law("what is removed is gone, only in its project", async (store) => {
      await store.put([cost("a", T0), cost("b", T0), { ...cost("a", T0), project_id: "acme/other" }]);
      await store.remove(P, ["a", "nothing"]);
      expectSame(await store.all(P), [cost("b", T0)]);
      expectSame((await store.all("acme/other")).length, 1);
    }),
  ];
}

function cost(id: string, created_at: string): TokenCost {
  return {
    id,
    project_id: P,
    llm_id: "näme",
    provider_id: "default",
    effective_date: T0,
    prompt_token_cost: 1e-7,
    completion_token_cost: 2,
    cache_read_input_token_cost: 0,
    cache_creation_input_token_cost: 0,
    prompt_token_cost_unit: "USD",
    completion_token_cost_unit: "USD",
    created_at,
    created_by: "u",
  };
}

async function bytesOf(store: FileStore, digest: string): Promise<readonly number[] | undefined> {
  return (await store.get(P, digest))?.flatMap((piece) => [...piece]);
}

function version(object_id: string, digest: string): ObjectVersion {
  return {
    project_id: P,
    object_id,
    digest,
    kind: "object",
    base_object_class: "Dataset",
    leaf_object_class: null,
    created_at: T0,
    deleted_at: null,
    wb_user_id: "u",
    val: { of: digest },
  };
}

function feedback(id: string, weave_ref: string, created_at: string): Feedback {
  return {
    id,
    project_id: P,
    weave_ref,
    feedback_type: "note",
    payload: {},
    creator: null,
    created_at,
    wb_user_id: "u",
    annotation_ref: null,
    runnable_ref: "r",
    call_ref: null,
    trigger_ref: null,
  };
}

async function idsOf(
  store: FeedbackStore,
  refs: readonly string[] | undefined,
  project: string = P,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const batch of store.scan(project, refs)) ids.push(...batch.map(({ id }) => id));
  return ids;
}

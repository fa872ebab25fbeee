// The laws of a tracking store.

import type { Law, Open } from "@assay/base";
import { expectSame, expectThat, lawsFor } from "@assay/base/internal";
import type { Artifact, ArtifactEntry, Collection, ProjectBlob } from "../artifact/artifact.ts";
import type { TrackingStore } from "../ports/tracking-store.ts";
import type { Line, Run, RunFile, Stream } from "../run/run.ts";

/** The laws of a `TrackingStore`. `open` creates an empty store each time. */
export function trackingStoreLaws(open: Open<TrackingStore>): readonly Law[] {
  const law = lawsFor(open);
  return [...runLaws(law), ...artifactLaws(law)];
}

type MakeLaw = ReturnType<typeof lawsFor<TrackingStore>>;

function runLaws(law: MakeLaw): readonly Law[] {
  return [
    law("an empty store contains nothing", async (store) => {
      expectSame(await store.run(run(1)), undefined, "run");
      expectSame(await store.runWithId("r1"), undefined, "run by id");
      expectSame(await store.runs(PROJECT, { order: "asc", limit: 10 }), [], "runs");
      expectSame(await store.runCount(PROJECT), 0, "count");
      expectSame(await store.lines("r1", "history", { from: 0, limit: 10 }), [], "lines");
      expectSame(await store.runFiles("r1", { limit: 10 }), [], "files");
      expectSame(await store.usedBy("r1"), [], "uses");
      expectSame(await store.collection(collection(1)), undefined, "collection");
      expectSame(await store.collections(PROJECT, { limit: 10 }), [], "collections");
      expectSame(await store.types(PROJECT), [], "types");
      expectSame(await store.artifact("a1"), undefined, "artifact");
      expectSame(await store.blobs(PROJECT, [MD5]), [], "blobs");
      expectSame(await store.usesBlob(SHA), false, "uses");
    }),

    law("a run is found by name and by id, as it was written, only in its project", async (store) => {
      const one = { ...run(1), name: "ü ' \" \\ %", notes: "a\0b \ud800", tags: ["é", "e\u0301"] };
      expectThat(await store.commitRun({ run: one }), "a new run is written");
      expectSame(await store.run(one), one, "by name");
      expectSame(await store.runWithId(one.id), one, "by id");
      expectSame(await store.run({ ...one, project: "other" }), undefined, "in another project");
      expectSame(await store.run({ ...one, entity: "other" }), undefined, "of another entity");
      expectSame(await store.runCount({ ...PROJECT, project: "other" }), 0, "not counted elsewhere");
    }),

    law("of two changes of the same version, only the first is written", async (store) => {
      await store.commitRun({ run: run(1) });
      const next = { ...run(1), version: 2 };
      const written = await Promise.all([
        store.commitRun({ run: { ...next, summary: '{"by":1}' }, lines: [lines("history", 0, 1)] }),
        store.commitRun({ run: { ...next, summary: '{"by":2}' }, lines: [lines("history", 0, 2)] }),
      ]);
      expectSame(written.filter(Boolean).length, 1, "how many were written");
      expectSame((await store.run(next))?.summary, written[0] ? '{"by":1}' : '{"by":2}', "which one");
      const kept = await store.lines("r1", "history", { from: 0, limit: 10 });
      expectSame(kept.length, written[0] ? 1 : 2, "and only its lines");
      expectSame(await store.commitRun({ run: { ...next, version: 4 } }), false, "a version too far");
      expectSame(
        await store.commitRun({ run: { ...run(2), name: run(1).name } }),
        false,
        "a name that is taken",
      );
    }),

    law("runs are listed by age, then id, page by page, either way", async (store) => {
      for (const [n, createdAt] of [
        [3, 5],
        [1, 9],
        [2, 5],
      ] as const)
        await store.commitRun({ run: { ...run(n), createdAt } });
      const ids = async (order: "asc" | "desc", after?: Run) =>
        (await store.runs(PROJECT, { order, ...(after && { after }), limit: 2 })).map(({ id }) => id);
      expectSame(await ids("asc"), ["r2", "r3"], "the oldest");
      expectSame(await ids("asc", { ...run(3), createdAt: 5 }), ["r1"], "the next");
      expectSame(await ids("desc"), ["r1", "r3"], "the newest");
      expectSame(await ids("desc", { ...run(3), createdAt: 5 }), ["r2"], "the one before");
      expectSame(await store.runCount(PROJECT), 3, "how many");
    }),

    law("lines replace those with the same numbers", async (store) => {
      await store.commitRun({ run: run(1), lines: [lines("history", 0, 5), lines("output", 0, 2)] });
      await store.commitRun({ run: { ...run(1), version: 2 }, lines: [lines("history", 3, 4, "again")] });
      const texts = (await store.lines("r1", "history", { from: 0, limit: 100 })).map(({ text }) => text);
      expectSame(texts, ["0", "1", "2", "again 3", "again 4", "again 5", "again 6"], "the history");
      await store.commitRun({
        run: { ...run(1), version: 3 },
        lines: [{ ...lines("history", 0, 2, "anew"), cutsOff: true }],
      });
      const restarted = (await store.lines("r1", "history", { from: 0, limit: 100 })).map(({ text }) => text);
      expectSame(restarted, ["anew 0", "anew 1"], "a history that begins anew");
      expectSame((await store.lines("r1", "output", { from: 0, limit: 100 })).length, 2, "another stream");
      const over = {
        run: { ...run(1), version: 4 },
        startsOver: true,
        lines: [lines("history", 0, 1, "over")],
      };
      await store.commitRun(over);
      const left = (await store.lines("r1", "history", { from: 0, limit: 100 })).map(({ text }) => text);
      expectSame(left, ["over 0"], "the history of a run that starts over");
      expectSame((await store.lines("r1", "output", { from: 0, limit: 100 })).length, 0, "all other lines");
    }),

    law("lines can be read from a number on, every nth, or by step", async (store) => {
      await store.commitRun({ run: run(1), lines: [lines("history", 0, 10)] });
      const numbers = (found: readonly Line[]) => found.map(({ line }) => line);
      expectSame(numbers(await store.lines("r1", "history", { from: 4, limit: 3 })), [4, 5, 6], "from");
      expectSame(
        numbers(await store.lines("r1", "history", { from: 1, limit: 9, every: 4 })),
        [4, 8],
        "every",
      );
      // The step of a line is ten times its number.
      const range = { minStep: 20, maxStep: 60, limit: 2 };
      const first = await store.history("r1", range);
      expectSame(numbers(first), [2, 3], "the first page");
      expectSame(numbers(await store.history("r1", { ...range, after: first[1]! })), [4, 5], "the next");
      expectSame(await store.history("r1", { ...range, after: { line: 5, step: 50 } }), [], "the end");
    }),

    law("files of a run are listed by name, and a new file replaces the old one", async (store) => {
      await store.commitRun({ run: run(1), files: [file("b", SHA), file("a/x y", SHA)] });
      expectSame(await store.usesBlob(SHA), true, "bytes in use");
      await store.commitRun({ run: { ...run(1), version: 2 }, files: [file("b", OTHER_SHA)] });
      expectSame(await store.runFiles("r1", { limit: 1 }), [file("a/x y", SHA)], "the first");
      expectSame(
        await store.runFiles("r1", { after: "a/x y", limit: 1 }),
        [file("b", OTHER_SHA)],
        "the next",
      );
      expectSame(await store.runFile("r1", "b"), file("b", OTHER_SHA), "one");
      await store.commitRun({ run: { ...run(1), version: 3 }, removedFiles: ["b", "none"] });
      expectSame(await store.runFile("r1", "b"), undefined, "removed");
      expectSame(await store.usesBlob(OTHER_SHA), false, "bytes of the removed file");
    }),

    law("a run is removed with its lines and files", async (store) => {
      await store.commitRun({
        run: run(1),
        lines: [lines("history", 0, 3)],
        files: [file("b", SHA)],
        uses: "a1",
      });
      await store.commitRun({ run: run(2), lines: [lines("history", 0, 3)] });
      expectSame(await store.usedBy("r1"), ["a1"], "what it used");
      const users = (await store.usersOf("a1", 10)).map(({ id }) => id);
      expectSame(users, ["r1"], "who used it");
      expectSame(await store.removeRun({ id: "r1", version: 7 }), false, "at another version");
      expectSame(await store.removeRun({ id: "r1", version: 1 }), true, "at its own");
      expectSame(await store.run(run(1)), undefined, "the run");
      expectSame(await store.lines("r1", "history", { from: 0, limit: 10 }), [], "its lines");
      expectSame(await store.usesBlob(SHA), false, "its bytes");
      expectSame((await store.lines("r2", "history", { from: 0, limit: 10 })).length, 3, "another's lines");
      expectThat(await store.commitRun({ run: { ...run(3), name: run(1).name } }), "its name is free");
    }),
  ];
}

function artifactLaws(law: MakeLaw): readonly Law[] {
  return [
    law(
      "a committed artifact is found by index, digest and alias; a pending one only by its id",
      async (store) => {
        const [old, fresh] = [artifact(1, { versionIndex: 0 }), artifact(2, { versionIndex: 1 })];
        const begun = { ...artifact(3, {}), digest: old.digest };
        await store.commitCollection({
          collection: collection(1),
          artifacts: [old, fresh, begun],
          aliases: [
            { alias: "latest", artifactId: "a2" },
            { alias: "ü '", artifactId: "a1" },
          ],
        });
        expectSame(await store.artifactAt("c1", 0), old, "by index");
        expectSame(await store.artifactWithDigest("c1", old.digest), old, "by digest");
        expectSame(await store.aliased("c1", "latest"), fresh, "by alias");
        expectSame(await store.aliased("c1", "ü '"), old, "by another");
        expectSame(await store.aliased("c2", "latest"), undefined, "in another collection");
        expectSame(await store.artifacts("c1", { limit: 10 }), [fresh, old], "newest first");
        expectSame(await store.artifacts("c1", { before: 1, limit: 10 }), [old], "before");
        expectSame(await store.artifactCount("c1"), 2, "how many");
        expectSame(await store.artifact("a3"), begun, "by id");
        expectSame(await store.artifactsBy({ ...PROJECT, name: "run" }, 10), [old, fresh], "by run");
        expectSame(
          await store.artifactsBy({ entity: "e", project: "q", name: "run" }, 10),
          [],
          "of another project",
        );
      },
    ),

    law("an alias belongs to one artifact: the one that got it last, until it is removed", async (store) => {
      const [one, two] = [artifact(1, { versionIndex: 0 }), artifact(2, { versionIndex: 1 })];
      const change = (version: number, alias: string, artifactId: string | undefined) =>
        store.commitCollection({
          collection: { ...collection(1), version },
          aliases: [{ alias, artifactId }],
        });
      await store.commitCollection({ collection: collection(1), artifacts: [one, two] });
      await change(2, "best", "a1");
      await change(3, "best", "a2");
      await change(4, "first", "a1");
      expectSame(await store.aliases("c1"), [alias("best", "a2"), alias("first", "a1")], "all");
      expectSame(await store.aliases("c1", "a1"), [alias("first", "a1")], "of one");
      await change(5, "best", undefined);
      expectSame(await store.aliased("c1", "best"), undefined, "taken");
    }),

    law("a change that is not of the next version writes nothing", async (store) => {
      await store.commitCollection({ collection: collection(1) });
      const change = {
        collection: { ...collection(1), version: 3 },
        artifacts: [artifact(1, { versionIndex: 0 })],
        blobs: [blob(MD5, SHA)],
      };
      expectSame(await store.commitCollection(change), false, "a version too far");
      expectSame(await store.artifact("a1"), undefined, "no artifact");
      expectSame(await store.blobs(PROJECT, [MD5]), [], "no blob");
      const namesake = { ...collection(2), name: collection(1).name };
      expectSame(await store.commitCollection({ collection: namesake }), false, "a name that is taken");
      const elsewhere = { ...namesake, project: "other" };
      expectThat(await store.commitCollection({ collection: elsewhere }), "in another project it is free");
      expectSame((await store.collection(elsewhere))?.id, "c2", "there");
      expectSame((await store.collection(collection(1)))?.id, "c1", "here");
    }),

    law("collections are listed by name, of one type or of all", async (store) => {
      await store.commitCollection({ collection: { ...collection(2), type: "lora" } });
      await store.commitCollection({ collection: collection(1) });
      const names = async (page: { readonly type?: string; readonly after?: string }) =>
        (await store.collections(PROJECT, { ...page, limit: 10 })).map(({ name }) => name);
      expectSame(await names({}), ["c-1", "c-2"], "all");
      expectSame(await names({ after: "c-1" }), ["c-2"], "after");
      expectSame(await names({ type: "dataset" }), ["c-1"], "of a type");
      expectSame(await store.types(PROJECT), ["dataset", "lora"], "types");
      expectSame(await store.collectionCount(PROJECT), 2, "how many");
      expectSame(await store.collectionCount(PROJECT, "lora"), 1, "how many of a type");
    }),

    law("projects are those of an entity that have runs or collections", async (store) => {
      expectSame(await store.projects(PROJECT.entity), [], "none yet");
      const [second, other] = [
        { ...run(2), project: 'a "b"' },
        { ...run(3), entity: `${PROJECT.entity}2` },
      ];
      for (const one of [run(1), second, other]) await store.commitRun({ run: one });
      await store.commitCollection({ collection: { ...collection(1), project: "z" } });
      const named = [second.project, PROJECT.project, "z"].sort();
      expectSame(await store.projects(PROJECT.entity), named, "in order");
    }),

    law("entries are read by path, page by page, or by name", async (store) => {
      const entries = ["z", "a/b", "ü"].map((path) => entry(path, MD5));
      await store.commitCollection({
        collection: collection(1),
        artifacts: [artifact(1, { versionIndex: 0 })],
        entries: [{ artifactId: "a1", entries }],
      });
      const paths = (found: readonly ArtifactEntry[]) => found.map(({ path }) => path);
      expectSame(paths(await store.entries("a1", { limit: 2 })), ["a/b", "z"], "the first");
      expectSame(paths(await store.entries("a1", { after: "z", limit: 2 })), ["ü"], "the next");
      expectSame(await store.entriesAt("a1", ["z", "no"]), [entry("z", MD5)], "by name");
    }),

    law("the files of a project are counted: of its runs, its blobs, and manifests", async (store) => {
      expectSame(await store.fileBytes(PROJECT), 0);
      const manifest = { sha256: "m".repeat(64), md5: MD5, size: 5 };
      await store.commitRun({ run: run(1), files: [file("b", SHA), file("c", SHA)] });
      await store.addBlob(PROJECT, { ...blob(MD5, SHA), size: 7 });
      await store.commitCollection({ collection: collection(1), artifacts: [artifact(1, { manifest })] });
      expectSame(await store.fileBytes(PROJECT), 3 + 3 + 7 + 5, "of the project");
      expectSame(await store.fileBytes({ ...PROJECT, project: "other" }), 0, "of another");
    }),

    law("blobs belong to a project, and the last write counts", async (store) => {
      await store.addBlob(PROJECT, blob(MD5, SHA));
      await store.addBlob(PROJECT, blob(MD5, OTHER_SHA));
      expectSame(await store.blobs(PROJECT, [MD5, MD5, "none"]), [blob(MD5, OTHER_SHA)], "here");
      expectSame(await store.blobs({ ...PROJECT, project: "other" }, [MD5]), [], "elsewhere");
      expectSame(await store.usesBlob(OTHER_SHA), true, "bytes in use");
      expectSame(await store.usesBlob(SHA), false, "bytes that are not");
    }),

    law(
      "removing an artifact removes its entries, its aliases and the blobs that only it uses",
      async (store) => {
        const manifest = { sha256: "m".repeat(64), md5: MD5, size: 1 };
        await store.commitCollection({
          collection: collection(1),
          artifacts: [artifact(1, { versionIndex: 0, manifest }), artifact(2, { versionIndex: 1 })],
          entries: [
            { artifactId: "a1", entries: [entry("own", MD5), entry("shared", OTHER_MD5)] },
            { artifactId: "a2", entries: [entry("shared", OTHER_MD5)] },
          ],
          aliases: [alias("best", "a1")],
          blobs: [blob(MD5, SHA), blob(OTHER_MD5, OTHER_SHA)],
        });
        await store.commitRun({ run: run(1), uses: "a1" });
        expectSame(await store.usesBlob(manifest.sha256), true, "the manifest");
        await store.commitCollection({ collection: { ...collection(1), version: 2 }, removed: ["a1"] });
        expectSame(await store.artifact("a1"), undefined, "the artifact");
        expectSame(await store.entries("a1", { limit: 10 }), [], "its entries");
        expectSame(await store.aliases("c1"), [], "its aliases");
        expectSame(await store.usedBy("r1"), [], "its uses");
        expectSame(await store.usesBlob(manifest.sha256), false, "its manifest");
        expectSame(
          await store.blobs(PROJECT, [MD5, OTHER_MD5]),
          [blob(OTHER_MD5, OTHER_SHA)],
          "the other's blob",
        );
      },
    ),

    law("unfinished uploads are forgotten once they are old", async (store) => {
      await store.commitCollection({
        collection: collection(1),
        artifacts: [
          artifact(1, { createdAt: 5 }),
          artifact(2, { createdAt: 50 }),
          artifact(3, { versionIndex: 0 }),
        ],
        entries: [{ artifactId: "a3", entries: [entry("f", MD5)] }],
        blobs: [
          blob(MD5, SHA),
          blob(OTHER_MD5, OTHER_SHA),
          { ...blob("f".repeat(32), "9".repeat(64)), createdAt: 50 },
        ],
      });
      await store.forgetUnfinished(10);
      expectSame(await store.artifact("a1"), undefined, "an old pending one");
      expectSame((await store.artifact("a2"))?.id, "a2", "a young one");
      expectSame((await store.artifact("a3"))?.id, "a3", "a committed one");
      const left = await store.blobs(PROJECT, [MD5, OTHER_MD5, "f".repeat(32)]);
      expectSame(left.map(({ md5 }) => md5).sort(), [MD5, "f".repeat(32)].sort(), "blobs");
    }),
  ];
}

const PROJECT = { entity: "e", project: "p" } as const;
const [MD5, OTHER_MD5] = ["0".repeat(32), "1".repeat(32)];
const [SHA, OTHER_SHA] = ["a".repeat(64), "b".repeat(64)];

function run(n: number): Run {
  return {
    ...PROJECT,
    id: `r${n}`,
    version: 1,
    name: `run-${n}`,
    displayName: `run ${n}`,
    createdAt: n,
    heartbeatAt: n,
    config: "{}",
    summary: "{}",
    tags: [],
    lines: { history: 0, events: 0, output: 0 },
    lastStep: -1,
    historyKeys: [],
  };
}

function lines(stream: Stream, from: number, count: number, word?: string) {
  const numbered = Array.from({ length: count }, (_, i) => {
    const line = from + i;
    return { line, step: 10 * line, text: word === undefined ? String(line) : `${word} ${line}` };
  });
  return { stream, lines: numbered, cutsOff: false };
}

function file(name: string, sha256: string): RunFile {
  return { name, sha256, md5: MD5, size: 3, updatedAt: 1 };
}

function collection(n: number): Collection {
  return {
    ...PROJECT,
    id: `c${n}`,
    version: 1,
    name: `c-${n}`,
    type: "dataset",
    nextIndex: 0,
    createdAt: 0,
    updatedAt: 0,
  };
}

function artifact(n: number, more: Partial<Artifact>): Artifact {
  return {
    id: `a${n}`,
    collectionId: "c1",
    state: more.versionIndex === undefined ? "PENDING" : "COMMITTED",
    digest: String(n).repeat(32),
    tags: [],
    createdBy: "run",
    wantedAliases: [],
    size: 0,
    fileCount: 0,
    createdAt: 0,
    updatedAt: 0,
    ...more,
  };
}

function entry(path: string, digest: string): ArtifactEntry {
  return { path, digest, size: 1, sha256: SHA };
}

function blob(md5: string, sha256: string): ProjectBlob {
  return { md5, sha256, size: 1, createdAt: 0 };
}

function alias(name: string, artifactId: string) {
  return { alias: name, artifactId };
}

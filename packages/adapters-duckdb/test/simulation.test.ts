// Random histories of a data directory: putting, moving and deleting calls, queries in between, kills and power cuts at
// any step of a write, disk faults, restarts, permanent deletions. Acknowledged writes are present, other writes
// completely or not at all. Every query answers like the specification over a model in memory. The stored list of
// evaluations equals a new count. Following the store's changes from any version gives the same trees as reading them
// anew.
//
// `npm run testing -- histories` runs 10,000 of them. A failure is reported with its seed, and shrunk.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault, jsonText } from "@assay/base";
import { type Call, type CallSource, type CallTree, isPredictAndScore, memoryCalls } from "@assay/calls";
import { callOf, changesSince, textOf } from "@assay/calls/testing";
import { type CountedEvaluation, createEvalEngine, type EvalEngine, memoryRows } from "@assay/eval-engine";
import { byStart, datasetOf, evaluationEntry } from "@assay/eval-engine/internal";
import { cases } from "@assay/testing/cases";
import { check, mayStopEarly, PATIENCE } from "@assay/testing/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rewriteFiles } from "../src/deletion/delete-records.ts";
import { deleteRecords, type Store } from "../src/index.ts";
import { openWithDatabase } from "../src/store.ts";
import { type Step, type WatchedDisk, watchedDisk } from "./watched-disk.ts";

const HISTORIES = cases(60);
// Histories that share a directory, each with its own project, so that most start in a non-empty one.
const TOGETHER = 40;
const EVALUATIONS = ["e1", "e2"];
const IDS = [...EVALUATIONS, "t1", "t2", "t3", "p1", "p2"];
const EXAM = "weave:///acme/histories/object/exam:v1";
const AT = "2026-02-02T00:00:00Z";

const written = fc.array(
  fc.record({
    id: fc.constantFrom(...IDS),
    parent: fc.constantFrom("e1", "e1", "e2", "t1", "t2", null),
    row: fc.integer({ min: 0, max: 2 }),
    score: fc.constantFrom(0, 0.5, 1, true, null),
  }),
  { minLength: 1, maxLength: 6 },
);
type Written = typeof written extends fc.Arbitrary<infer T> ? T : never;

const step = (...whats: readonly Step["what"][]) =>
  fc.record({ step: fc.nat({ max: 5 }), what: fc.constantFrom(...whats) });
const happening = fc.oneof(
  { weight: 24, arbitrary: fc.record({ do: fc.constant("put" as const), calls: written }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("delete" as const), ids: fc.subarray(IDS) }) },
  { weight: 16, arbitrary: fc.record({ do: fc.constant("query" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("kill" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("kill while it writes" as const),
      calls: written,
      at: step("copy before", "copy after"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("cut power" as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      hasDatabaseLog: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("fault" as const),
      calls: written,
      at: step("fault", "half"),
      restarts: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("delete for ever" as const),
      evaluation: fc.constantFrom(undefined, ...EVALUATIONS),
    }),
  },
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** Histories that failed before. */
const FOUND_BEFORE: readonly (readonly Happening[])[] = [
  // All calls of an evaluation whose root was never logged are already deleted.
  [
    { do: "put", calls: [{ id: "p2", parent: "e1", row: 0, score: 0 }] },
    { do: "delete", ids: ["p2"] },
    { do: "delete for ever", evaluation: "e1" },
  ],
];

function callsOf(some: Written): readonly Call[] {
  return some.map(({ id, parent, row, score }) => {
    if (id.startsWith("e"))
      return callOf(id, null, { op_name: "Evaluation.evaluate", display_name: `run ${row}` });
    if (id.startsWith("p")) return callOf(id, parent, { op_name: "predict", output: `answer ${row}` });
    return callOf(id, parent, {
      op_name: "Evaluation.predict_and_score",
      inputs: { example: row === 2 ? `${EXAM}/attr/rows/id/r${score}` : { question: row } },
      output: { output: `answer ${row}`, scores: { exam: score } },
    });
  });
}

/** The calls of a project by id, including deleted ones. */
type Model = ReadonlyMap<string, Call>;

const put = (model: Model, calls: readonly Call[]): Model =>
  new Map([...model, ...calls.map((call) => [call.id, call] as const)]);
const isLive = (call: Call | undefined) => call !== undefined && call.deleted_at === null;

/**
 * The model after a permanent deletion: it removes an evaluation with all calls below it, and all calls deleted before.
 */
function withoutEvaluation(model: Model, evaluation: string | undefined): Model {
  const gone = new Set(evaluation === undefined ? [] : [evaluation]);
  for (let size = -1; size !== gone.size; ) {
    size = gone.size;
    for (const { id, parent_id } of model.values()) if (gone.has(parent_id ?? "")) gone.add(id);
  }
  return new Map([...model].filter(([id, call]) => isLive(call) && !gone.has(id)));
}

function sourceOf(model: Model): CallSource {
  const source = memoryCalls();
  source.put("model", [...model.values()]);
  return source;
}

/** Trees as texts, by the id of their call. */
function shown(trees: Iterable<CallTree>): Map<string, string> {
  const byId = new Map<string, string>();
  for (const { call, children } of trees)
    byId.set(call.id, JSON.stringify([call, [...children].sort((a, b) => (a.id < b.id ? -1 : 1))]));
  return byId;
}

async function treesOf(source: CallSource, project: string, root: string): Promise<Map<string, string>> {
  const trees: CallTree[] = [];
  for await (const some of source.trees(project, root)) trees.push(...some);
  return shown(trees);
}

/** A new count of the evaluations: those that have trials and were logged themselves. */
async function listOf(model: Model, engine: EvalEngine): Promise<readonly CountedEvaluation[]> {
  const live = [...model.values()].filter(isLive);
  const trialsOf = ({ id }: Call) =>
    live.filter((call) => call.id !== id && call.parent_id === id && isPredictAndScore(call));
  const roots = live.filter((call) => trialsOf(call).length > 0);
  const counted = roots.map(async (root) => {
    const body = { evaluation_call_ids: [root.id], limit: 1, include_raw_data_rows: true };
    const { rows, total_rows } = await engine.query("model", body, { plan: "naive" });
    return {
      ...evaluationEntry(root, trialsOf(root).length),
      rows: total_rows,
      dataset: datasetOf(rows[0]?.raw_data_row ?? null) ?? null,
    };
  });
  return byStart(await Promise.all(counted));
}

const BODY = { evaluation_call_ids: EVALUATIONS, include_summary: true, include_raw_data_rows: true };

/** A data directory through restarts, kills and copies: one after another, each in a folder of its own. */
class Directory {
  readonly disk: WatchedDisk;
  private readonly home = mkdtempSync(join(tmpdir(), "assay-histories-"));
  private copies = 0;
  path = join(this.home, "0");
  store!: Store;
  isBroken = false;

  private constructor(disk: WatchedDisk) {
    this.disk = disk;
  }

  static async open(disk: WatchedDisk): Promise<Directory> {
    const directory = new Directory(disk);
    await directory.reopen();
    return directory;
  }

  async reopen(): Promise<void> {
    this.isBroken = false;
    this.disk.watch(this.path);
    this.store = await openWithDatabase({
      directory: this.path,
      // Packs some batches, and not others.
      packedFrom: 1000,
      onBroken: () => {
        this.isBroken = true;
      },
    });
  }

  /** The path of the next copy. */
  next(): string {
    return join(this.home, String(++this.copies));
  }

  /** Continues in a copy, as after a crash. */
  async goOnIn(copy: string): Promise<void> {
    await this.store.close().catch(ignoreFault);
    rmSync(this.path, { recursive: true });
    this.path = copy;
    await this.reopen();
  }

  async restart(between: () => Promise<unknown> = async () => {}): Promise<void> {
    await this.store.close().catch(ignoreFault);
    await between();
    await this.reopen();
  }

  async remove(): Promise<void> {
    await this.store.close().catch(ignoreFault);
    rmSync(this.home, { recursive: true, force: true });
  }
}

function ignoreFault(error: unknown): void {
  if (!(error instanceof Fault)) throw error;
}

/** How often each thing happened. */
type Counts = Record<Happening["do"], number>;

/** One history, in a project of its own. */
class History {
  private readonly directory: Directory;
  private readonly project: string;
  private model: Model = new Map();
  private engine!: EvalEngine;
  private readonly counts: Counts;
  /** The trees that followers of the changes knew, with the version of the project. */
  private followers: {
    readonly version: number;
    readonly root: string;
    readonly trees: Map<string, string>;
  }[] = [];

  constructor(directory: Directory, project: string, counts: Counts) {
    this.counts = counts;
    this.directory = directory;
    this.project = project;
    this.newEngine();
  }

  async live(happenings: readonly Happening[]): Promise<void> {
    for (const one of happenings) {
      await this.happen(one);
      await this.follow();
    }
    await this.query();
    await this.checkFollowers();
  }

  private get store(): Store {
    return this.directory.store;
  }

  private newEngine(): void {
    const { calls, rows, segments } = this.store;
    this.engine = createEvalEngine({ calls, rows, segments });
  }

  private async happen(one: Happening): Promise<void> {
    const { directory } = this;
    this.counts[one.do]++;
    switch (one.do) {
      case "put":
        await this.store.calls.put(this.project, callsOf(one.calls).map(textOf));
        this.model = put(this.model, callsOf(one.calls));
        return;
      case "delete": {
        const live = one.ids.filter((id) => isLive(this.model.get(id)));
        expect(await this.store.calls.delete(this.project, one.ids, AT)).toBe(live.length);
        this.model = put(
          this.model,
          live.map((id) => ({ ...this.model.get(id)!, deleted_at: AT })),
        );
        return;
      }
      case "query":
        return this.query();
      case "restart":
        await directory.restart();
        return this.checkSame();
      case "kill": {
        const copy = directory.next();
        directory.disk.kill(copy);
        await directory.goOnIn(copy);
        return this.checkSame();
      }
      case "cut power": {
        const copy = directory.next();
        directory.disk.cutPower(copy, one.share, one.hasDatabaseLog);
        await directory.goOnIn(copy);
        return this.checkSame();
      }
      case "kill while it writes": {
        const copy = directory.next();
        const after = put(this.model, callsOf(one.calls));
        const happened = await directory.disk.during(one.at, copy, async () => {
          await this.store.calls.put(this.project, callsOf(one.calls).map(textOf));
        });
        if (happened) await directory.goOnIn(copy);
        return this.checkOneOf(happened ? [this.model, after] : [after]);
      }
      case "fault": {
        const after = put(this.model, callsOf(one.calls));
        let isPut = false;
        await directory.disk.during(one.at, "", async () => {
          await this.store.calls.put(this.project, callsOf(one.calls).map(textOf)).then(() => {
            isPut = true;
          }, ignoreFault);
        });
        if (one.restarts || directory.isBroken) await directory.restart();
        return this.checkOneOf(isPut ? [after] : [this.model, after]);
      }
      case "delete for ever": {
        const { evaluation } = one;
        // A missing evaluation cannot be deleted.
        const of = [...this.model.values()].some(({ id, parent_id }) =>
          [id, parent_id].includes(evaluation ?? ""),
        )
          ? evaluation
          : undefined;
        await directory.restart(() =>
          of === undefined
            ? rewriteFiles(directory.path)
            : deleteRecords(directory.path, { project: this.project, evaluations: [of] }),
        );
        this.model = withoutEvaluation(this.model, of);
        // Lists of changes omit permanently deleted calls, so followers must read everything again.
        this.followers = [];
        return this.checkSame();
      }
    }
  }

  /** Checks that nothing changed in a restart. */
  private checkSame(): Promise<void> {
    return this.checkOneOf([this.model]);
  }

  /** Checks that the stored calls equal one of these models, and continues with it. */
  private async checkOneOf(models: readonly Model[]): Promise<void> {
    this.newEngine();
    const found = jsonText(await this.store.calls.calls(this.project, IDS));
    const wanted = await Promise.all(
      models.map(async (model) => jsonText(await sourceOf(model).calls("model", IDS))),
    );
    expect(wanted).toContain(found);
    const [model] = models.filter((_, i) => wanted[i] === found);
    // An unacknowledged write may have advanced the version.
    if (models.length > 1) this.followers = [];
    this.model = model!;
  }

  private async query(): Promise<void> {
    const specification = createEvalEngine({ calls: sourceOf(this.model), rows: memoryRows() });
    expect(await this.store.countedEvaluations(this.project)).toEqual(
      await listOf(this.model, specification),
    );
    const wanted = await specification.answer("model", BODY, { plan: "naive" });
    expect(jsonText(await this.engine.answer(this.project, BODY))).toBe(jsonText(wanted));
  }

  private async follow(): Promise<void> {
    const version = await this.store.calls.version(this.project);
    for (const root of EVALUATIONS)
      this.followers.push({ version, root, trees: await treesOf(sourceOf(this.model), "model", root) });
  }

  private async checkFollowers(): Promise<void> {
    for (const { version, root, trees } of this.followers) {
      const changes = await changesSince(this.store.calls, this.project, root, version);
      if (changes === undefined) continue;
      for (const { call } of changes) if (call.deleted_at !== null) trees.delete(call.id);
      const live = shown(changes.filter(({ call }) => call.deleted_at === null));
      expect(new Map([...trees, ...live])).toEqual(await treesOf(sourceOf(this.model), "model", root));
    }
  }
}

test(
  "whatever happens to a directory, it has the acknowledged data, and answers like the specification",
  async () => {
    const disk = await watchedDisk();
    let directory: Directory | undefined;
    let histories = 0;
    const counts: Counts = {
      ...{ put: 0, delete: 0, query: 0, restart: 0, kill: 0 },
      ...{ "kill while it writes": 0, "cut power": 0, fault: 0, "delete for ever": 0 },
    };
    try {
      await check(
        fc.array(happening, { minLength: 1, maxLength: 10 }),
        async (happenings) => {
          if (histories++ % TOGETHER === 0) {
            await directory?.remove();
            directory = await Directory.open(disk);
          }
          try {
            await new History(directory!, `acme/history-${histories}`, counts).live(happenings);
          } catch (error) {
            // Starts the next history in a new directory.
            histories = Math.ceil(histories / TOGETHER) * TOGETHER;
            throw error;
          }
        },
        { numRuns: HISTORIES, first: FOUND_BEFORE },
      );
    } finally {
      await directory?.remove();
      disk.restore();
    }
    expect(histories).toBeGreaterThanOrEqual(mayStopEarly ? 1 : HISTORIES);
    const kills = counts.kill + counts["kill while it writes"];
    console.log(
      `${histories} histories: ${counts.query + histories} queries, ${kills} kills, ${counts["cut power"]} power cuts, ${counts.fault} faults, ${counts["delete for ever"]} permanent deletions`,
    );
  },
  PATIENCE,
);

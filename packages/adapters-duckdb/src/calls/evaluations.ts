// Lists evaluations: the parents of predict-and-score calls. The contents of a list are computed once and kept in the
// index; only evaluations whose calls changed are computed again. The cost of a list depends on the changes, not on the
// size of the store.

import { compareText, lruCache, serialQueue } from "@assay/base/internal";
import { isPredictAndScore } from "@assay/calls";
import type { CountedEvaluation, EvaluationChoice, EvaluationEntry } from "@assay/eval-engine";
import {
  byStart,
  chooseEvaluations,
  datasetOf,
  evaluationEntry,
  readTrial,
  type Trial,
} from "@assay/eval-engine/internal";
import type { Database, Transaction } from "../database/database.ts";
import type { Project, Projects } from "../database/projects.ts";
import { idHash } from "../records/id-hash.ts";
import type { Journal } from "../records/journal.ts";
import { inSlices } from "../records/read-in-turns.ts";
import { changedHashes, countByParent, type FoundCall, findById, findTrials, opNames } from "./call-index.ts";
import { readCallTexts, readCallTextsInTurns } from "./call-text.ts";

/** The evaluations of a store. */
export interface Evaluations {
  /** The evaluations of a project whose root call was logged, by start (unknown last), then id. */
  entries(project: string): Promise<readonly EvaluationEntry[]>;
  /** The chosen evaluations, with their rows counted. */
  counted(project: string, choice?: EvaluationChoice): Promise<readonly CountedEvaluation[]>;
  /**
   * Stores counts of an evaluation that the caller already knows, if the evaluation still has this number of trials.
   */
  keepCounts(project: string, evaluation: CountedEvaluation): Promise<void>;
  /** Saves computed counts; lost ones are computed again. Never rejects. */
  save(): Promise<void>;
}

/** The stores that listing evaluations requires. */
interface EvaluationsParts {
  readonly database: Database;
  /** The journal of calls. */
  readonly journal: Journal;
  readonly projects: Projects;
  readonly seed: number;
  readonly readOnly: boolean;
}

type Counts = Pick<CountedEvaluation, "rows" | "dataset">;

/** A cached evaluation: `counts` is undefined until they are first requested. */
interface CachedEvaluation {
  readonly entry: EvaluationEntry;
  readonly counts: Counts | undefined;
}

/** The evaluations of a project. */
interface List {
  /** The project's version that it reflects. */
  version: number;
  /** By hash of the id. */
  readonly kept: Map<number, CachedEvaluation>;
  /** In order; undefined after one of them has changed. */
  ordered: readonly EvaluationEntry[] | undefined;
  /** Those whose saved state is outdated. */
  readonly unsaved: Set<number>;
  /** Bytes that were read for the unsaved state. */
  unsavedBytes: number;
  /** The number of callers that wait for it or read it. */
  users: number;
  /** Runs what reads or changes it, one at a time. */
  readonly next: ReturnType<typeof serialQueue>;
}

/** The fields that identify a trial's row, which has a fixed place in the record. */
interface TrialRow extends Pick<Trial, "id" | "digest"> {
  readonly parent: string | null;
  readonly dataset: string | null;
}

// How many projects have their lists in memory.
const LISTS = 64;
// The approximate number of trials that are counted together.
const TOGETHER = 32_768;
// How many trials' rows are remembered while their evaluation runs, since it is counted repeatedly.
const REMEMBERED = 131_072;
// The most bytes of records to read again after a crash; more are saved before.
const SAVED_FROM = 4 * 1024 * 1024;

/** Lists evaluations. */
export function evaluations(parts: EvaluationsParts): Evaluations {
  const { database, journal, projects, seed, readOnly } = parts;
  /** By project number, the last used at the end. */
  const lists = new Map<number, List>();
  const remembered = lruCache<number, TrialRow>(REMEMBERED);

  /** Passes a project's current list to `use`; nothing else changes the list meanwhile. */
  const withList = async <T>(
    name: string,
    none: T,
    use: (list: List, of: Project) => Promise<T>,
  ): Promise<T> => {
    const number = projects.find(name)?.number;
    if (number === undefined) return none;
    const list = lists.get(number) ?? emptyList();
    lists.delete(number);
    lists.set(number, list);
    list.users++;
    try {
      return await list.next(async () => {
        const project = projects.find(name)!;
        if (list.version === 0) await load(list, project);
        if (list.version !== project.version) await update(list, project);
        const used = await use(list, project);
        if (list.unsavedBytes >= SAVED_FROM) await saveList(number, list);
        return used;
      });
    } finally {
      list.users--;
      trim();
    }
  };

  /** Drops the least recently used lists, but never one in use, since a project must have only one. */
  const trim = (): void => {
    for (const [number, { users }] of lists) {
      if (lists.size <= LISTS) return;
      if (users === 0) lists.delete(number);
    }
  };

  /** Loads the saved state of a list. */
  const load = async (list: List, { number, version }: Project): Promise<void> => {
    const [versions] = await database.columns("SELECT version FROM evaluation_lists WHERE project = ?", [
      number,
    ]);
    const saved = (versions![0] as number | undefined) ?? 0;
    // A future version does not belong to these calls.
    if (saved === 0 || saved > version) return;
    const [hashes, bodies] = await database.columns(
      "SELECT id_hash, body FROM evaluations WHERE project = ?",
      [number],
    );
    const kept = JSON.parse(`[${bodies!.join(",")}]`) as readonly CachedEvaluation[];
    for (const [i, one] of kept.entries()) list.kept.set(hashes![i] as number, one);
    list.version = saved;
  };

  /** Brings the list to the project's version. */
  const update = async (list: List, { number, version }: Project): Promise<void> => {
    const since = list.version;
    if (list.kept.size > 0) {
      for (const hash of await changedHashes(database, number, since))
        if (list.kept.delete(hash)) list.unsaved.add(hash);
    }
    const trials = await countByParent(database, number, await trialOps(number), since);
    const roots = (await findById(database, number, [...trials.keys()])).filter(
      ({ deletedAt }) => deletedAt === null,
    );
    for (const { call } of await readCallTextsInTurns(journal, roots)) {
      const hash = idHash(call.id, number, seed);
      const entry = evaluationEntry(call, trials.get(hash) ?? 0);
      list.kept.set(hash, { entry, counts: undefined });
      list.unsaved.add(hash);
    }
    for (const { size } of roots) list.unsavedBytes += size;
    list.ordered = undefined;
    list.version = version;
  };

  const trialOps = async (project: number): Promise<readonly string[]> =>
    (await opNames(database, project)).filter((op_name) => isPredictAndScore({ op_name }));

  const orderOf = (list: List): readonly EvaluationEntry[] => {
    list.ordered ??= byStart(Array.from(list.kept.values(), ({ entry }) => entry));
    return list.ordered;
  };

  const count = async (
    list: List,
    { number }: Project,
    some: readonly EvaluationEntry[],
  ): Promise<readonly CountedEvaluation[]> => {
    const hashes = new Map(some.map((entry) => [entry, idHash(entry.id, number, seed)]));
    const unknown = some.filter((entry) => list.kept.get(hashes.get(entry)!)!.counts === undefined);
    const ops = unknown.length === 0 ? [] : await trialOps(number);
    for (const together of groups(unknown)) {
      const tallies = new Map(together.map((entry) => [hashes.get(entry)!, new Tally(entry)]));
      const founds = await findTrials(database, number, ops, [...tallies.keys()]);
      await readRows(founds, tallies);
      for (const [hash, { entry, counts }] of tallies) {
        list.kept.set(hash, { entry, counts });
        list.unsaved.add(hash);
      }
      for (const { size } of founds) list.unsavedBytes += size;
    }
    return some.map((entry) => ({ ...entry, ...list.kept.get(hashes.get(entry)!)!.counts! }));
  };

  /** Adds the rows of trials to the tallies of their evaluations. */
  const readRows = async (
    founds: readonly FoundCall[],
    tallies: ReadonlyMap<number, Tally>,
  ): Promise<void> => {
    for await (const slice of inSlices(founds, ({ size }) => size)) {
      const missing = slice.filter(({ at }) => remembered.get(at) === undefined);
      const read = new Map(
        readCallTexts(journal, missing).map(({ call }, i) => {
          const { id, digest, example } = readTrial({ call, children: [] })!;
          const row = { id, digest, parent: call.parent_id, dataset: datasetOf(example) ?? null };
          return [missing[i]!.at, row] as const;
        }),
      );
      for (const found of slice) {
        const tally = tallies.get(found.parentHash!)!;
        const row = read.get(found.at) ?? remembered.get(found.at)!;
        tally.add(row, found.started);
        if (tally.entry.ended_at === null) remembered.set(found.at, row);
      }
    }
  };

  const saveList = async (number: number, list: List): Promise<void> => {
    list.unsavedBytes = 0;
    if (readOnly || list.unsaved.size === 0) return;
    try {
      await database.write((transaction) => writeList(transaction, number, list));
      list.unsaved.clear();
    } catch {
      // Unsaved state is computed again.
    }
  };

  return {
    entries: (name) => withList(name, [], async (list) => orderOf(list)),
    counted: (name, choice = {}) =>
      withList(name, [], (list, project) =>
        chooseEvaluations(orderOf(list), choice, (some) => count(list, project, some)),
      ),
    keepCounts: (name, { id, trials, rows, dataset }) =>
      withList(name, undefined, async ({ kept, unsaved }, { number }) => {
        const hash = idHash(id, number, seed);
        const entry = kept.get(hash)?.entry;
        if (entry?.id !== id || entry.trials !== trials) return;
        kept.set(hash, { entry, counts: { rows, dataset } });
        unsaved.add(hash);
      }),
    async save() {
      for (const [number, list] of lists) await list.next(() => saveList(number, list));
    },
  };
}

function emptyList(): List {
  return {
    ...{ version: 0, kept: new Map(), ordered: undefined, users: 0, next: serialQueue() },
    ...{ unsaved: new Set(), unsavedBytes: 0 },
  };
}

async function writeList(
  transaction: Transaction,
  project: number,
  { version, kept, unsaved }: List,
): Promise<void> {
  const hashes = [...unsaved];
  await transaction.run("DELETE FROM evaluation_lists WHERE project = ?", [project]);
  await transaction.run("INSERT INTO evaluation_lists VALUES (?, ?)", [project, version]);
  await transaction.run(
    "DELETE FROM evaluations WHERE project = ? AND id_hash IN (SELECT unnest(?::DOUBLE[]))",
    [project, hashes],
  );
  const there = hashes.filter((hash) => kept.has(hash));
  if (there.length === 0) return;
  await transaction.append("evaluations", [
    { type: "INTEGER", same: project, count: there.length },
    { type: "DOUBLE", values: there },
    { type: "VARCHAR", values: there.map((hash) => JSON.stringify(kept.get(hash))) },
  ]);
}

/** Evaluations in groups of tens of thousands of trials, or single ones with more. */
function* groups(some: readonly EvaluationEntry[]): Generator<readonly EvaluationEntry[]> {
  let group: EvaluationEntry[] = [];
  let size = 0;
  for (const entry of some) {
    if (size > 0 && size + entry.trials > TOGETHER) {
      yield group;
      [group, size] = [[], 0];
    }
    group.push(entry);
    size += entry.trials;
  }
  if (group.length > 0) yield group;
}

/** Counts an evaluation's trials. */
class Tally {
  readonly entry: EvaluationEntry;
  private readonly digests: Set<string> = new Set();
  /** The first trial of the first row: rows are ordered by digest. */
  private first: (TrialRow & { readonly started: number }) | undefined;

  constructor(entry: EvaluationEntry) {
    this.entry = entry;
  }

  add(row: TrialRow, started: number): void {
    // Belongs to another evaluation, whose id has the same hash.
    if (row.parent !== this.entry.id) return;
    this.digests.add(row.digest);
    const { first } = this;
    const order =
      first === undefined
        ? -1
        : // For two unknown starts (infinity) the difference is NaN, and the ids decide.
          compareText(row.digest, first.digest) || started - first.started || compareText(row.id, first.id);
    if (order < 0) this.first = { ...row, started };
  }

  get counts(): Counts {
    return { rows: this.digests.size, dataset: this.first?.dataset ?? null };
  }
}

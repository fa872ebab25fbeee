// What evaluations there are: the parents of predict-and-score calls. What a list shows of them is worked out once and kept
// in the index, and again for those whose calls have changed since: a list costs what has changed, not what there is.

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
import { changedHashes, countByParent, type FoundCall, findById, findTrials, opNames } from "./call-index.ts";
import { readCallTexts, readCallTextsInTurns } from "./call-text.ts";
import type { Database, Transaction } from "./database.ts";
import { idHash } from "./id-hash.ts";
import type { Journal } from "./journal.ts";
import type { Project, Projects } from "./projects.ts";
import { inSlices } from "./read-in-turns.ts";

/** The evaluations of a store. */
export interface Evaluations {
  /** Those of a project whose root call was logged, by start (unknown last), then id. */
  entries(project: string): Promise<readonly EvaluationEntry[]>;
  /** The chosen of them, with their rows counted. */
  counted(project: string, choice?: EvaluationChoice): Promise<readonly CountedEvaluation[]>;
  /** Takes what is counted of an evaluation from someone who knows it, if it has this many trials now. */
  keepCounts(project: string, evaluation: CountedEvaluation): Promise<void>;
  /** Saves what was worked out: what is lost is worked out again. Never rejects. */
  save(): Promise<void>;
}

/** What lists are made of. */
interface EvaluationsParts {
  readonly database: Database;
  /** Of the calls. */
  readonly journal: Journal;
  readonly projects: Projects;
  readonly seed: number;
  readonly readOnly: boolean;
}

type Counts = Pick<CountedEvaluation, "rows" | "dataset">;

/** An evaluation as it is kept: `counts` is undefined until someone has asked for them. */
interface Kept {
  readonly entry: EvaluationEntry;
  readonly counts: Counts | undefined;
}

/** The evaluations of a project. */
interface List {
  /** The project's version that it shows. */
  version: number;
  /** By the hashes of their ids. */
  readonly kept: Map<number, Kept>;
  /** In order; undefined when one of them has changed. */
  ordered: readonly EvaluationEntry[] | undefined;
  /** Those that are saved otherwise. */
  readonly unsaved: Set<number>;
  /** Bytes that were read for what is not saved. */
  unsavedBytes: number;
  /** Who waits for it, or reads it. */
  users: number;
  /** Runs what reads or changes it, one at a time. */
  readonly next: ReturnType<typeof serialQueue>;
}

/** What tells the row of a trial, which stays at one place in the record. */
interface TrialRow extends Pick<Trial, "id" | "digest"> {
  readonly parent: string | null;
  readonly dataset: string | null;
}

// Projects whose lists are in memory.
const LISTS = 64;
// Trials that are counted together, about.
const TOGETHER = 32_768;
// Rows of trials that are remembered while their evaluation runs: it is counted again and again.
const REMEMBERED = 131_072;
// Bytes of records that are read again after a kill, at most, before what they said is saved.
const SAVED_FROM = 4 * 1024 * 1024;

/** Lists evaluations. */
export function evaluations(parts: EvaluationsParts): Evaluations {
  const { database, journal, projects, seed, readOnly } = parts;
  /** By the numbers of projects; the one used last is at the end. */
  const lists = new Map<number, List>();
  const remembered = lruCache<number, TrialRow>(REMEMBERED);

  /** What `use` makes of a project's list as it is now, which nothing else changes meanwhile. */
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

  /** Lets go of the lists used longest ago. Never of one in use: there is one of a project only. */
  const trim = (): void => {
    for (const [number, { users }] of lists) {
      if (lists.size <= LISTS) return;
      if (users === 0) lists.delete(number);
    }
  };

  /** What was saved of it. */
  const load = async (list: List, { number, version }: Project): Promise<void> => {
    const [versions] = await database.columns("SELECT version FROM evaluation_lists WHERE project = ?", [
      number,
    ]);
    const saved = (versions![0] as number | undefined) ?? 0;
    // A version that is yet to come is not of these calls.
    if (saved === 0 || saved > version) return;
    const [hashes, bodies] = await database.columns(
      "SELECT id_hash, body FROM evaluations WHERE project = ?",
      [number],
    );
    const kept = JSON.parse(`[${bodies!.join(",")}]`) as readonly Kept[];
    for (const [i, one] of kept.entries()) list.kept.set(hashes![i] as number, one);
    list.version = saved;
  };

  /** Brings it to the project's version. */
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
      // What is not saved is worked out again.
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

/** Evaluations in groups with some tens of thousands of trials, unless one has more. */
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

/** What is counted of an evaluation's trials. */
class Tally {
  readonly entry: EvaluationEntry;
  private readonly digests: Set<string> = new Set();
  /** The first trial of the first row: rows are in the order of their digests. */
  private first: (TrialRow & { readonly started: number }) | undefined;

  constructor(entry: EvaluationEntry) {
    this.entry = entry;
  }

  add(row: TrialRow, started: number): void {
    // Another evaluation's, whose id has the same hash.
    if (row.parent !== this.entry.id) return;
    this.digests.add(row.digest);
    const { first } = this;
    const order =
      first === undefined
        ? -1
        : // Two whose start is unknown (infinity) give NaN, and their ids decide.
          compareText(row.digest, first.digest) || started - first.started || compareText(row.id, first.id);
    if (order < 0) this.first = { ...row, started };
  }

  get counts(): Counts {
    return { rows: this.digests.size, dataset: this.first?.dataset ?? null };
  }
}

// Lists evaluations: the parents of predict-and-score calls. The contents of a list are computed once and kept in the
// index; only evaluations whose calls changed are computed again. The cost of a list depends on the changes, not on the
// size of the store.

import type { CountedEvaluation, EvaluationChoice, EvaluationEntry } from "@assay/eval-engine";
import { chooseEvaluations } from "@assay/eval-engine/internal";
import type { Project } from "../database/projects.ts";
import { idHash } from "../records/id-hash.ts";
import { findTrials } from "./call-index.ts";
import {
  type EvaluationList,
  type EvaluationsParts,
  emptyList,
  orderOf,
  saveList,
  trialOps,
  updateList,
} from "./evaluation-list.ts";
import { Tally, trialAdder } from "./evaluation-tally.ts";

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

// How many projects have their lists in memory.
const LISTS = 64;
// The approximate number of trials that are counted together.
const TOGETHER = 32_768;
// The most bytes of records to read again after a crash; more are saved before.
const SAVED_FROM = 4 * 1024 * 1024;

/** Lists evaluations. */
export function evaluations(parts: EvaluationsParts): Evaluations {
  const { database, journal, projects, seed } = parts;
  /** By project number, the last used at the end. */
  const lists = new Map<number, EvaluationList>();
  const addTrials = trialAdder(journal);

  /** Passes a project's current list to `use`; nothing else changes the list meanwhile. */
  const withList = async <T>(
    name: string,
    none: T,
    use: (list: EvaluationList, of: Project) => Promise<T>,
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
        await updateList(parts, list, project);
        const used = await use(list, project);
        if (list.unsavedBytes >= SAVED_FROM) await saveList(parts, number, list);
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

  const count = async (
    list: EvaluationList,
    { number }: Project,
    some: readonly EvaluationEntry[],
  ): Promise<readonly CountedEvaluation[]> => {
    const hashes = new Map(some.map((entry) => [entry, idHash(entry.id, number, seed)]));
    const unknown = some.filter((entry) => list.kept.get(hashes.get(entry)!)!.counts === undefined);
    const ops = unknown.length === 0 ? [] : await trialOps(database, number);
    for (const together of groups(unknown)) {
      const tallies = new Map(together.map((entry) => [hashes.get(entry)!, new Tally(entry)]));
      const founds = await findTrials(database, number, ops, [...tallies.keys()]);
      await addTrials(founds, tallies);
      for (const [hash, { entry, counts }] of tallies) {
        list.kept.set(hash, { entry, counts });
        list.unsaved.add(hash);
      }
      for (const { size } of founds) list.unsavedBytes += size;
    }
    return some.map((entry) => ({ ...entry, ...list.kept.get(hashes.get(entry)!)!.counts! }));
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
      for (const [number, list] of lists) await list.next(() => saveList(parts, number, list));
    },
  };
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

// Counts the rows of evaluations from their trials.

import { compareText, lruCache } from "@assay/base/internal";
import type { CountedEvaluation, EvaluationEntry } from "@assay/eval-engine";
import { datasetOf, readTrial, type Trial } from "@assay/eval-engine/internal";
import type { Journal } from "../records/journal.ts";
import { inSlices } from "../records/read-in-turns.ts";
import type { FoundCall } from "./call-index.ts";
import { readCallTexts } from "./call-text.ts";

/** What is counted of an evaluation. */
export type Counts = Pick<CountedEvaluation, "rows" | "dataset">;

/** The fields that identify a trial's row, which has a fixed place in the record. */
interface TrialRow extends Pick<Trial, "id" | "digest"> {
  readonly parent: string | null;
  readonly dataset: string | null;
}

// How many trials' rows are remembered while their evaluation runs, since it is counted repeatedly.
const REMEMBERED = 131_072;

/** Adds the rows of trials to the tallies of their evaluations, by the hash of the evaluation's id. */
export type AddTrials = (founds: readonly FoundCall[], tallies: ReadonlyMap<number, Tally>) => Promise<void>;

/** Reads the rows of trials from `journal`. */
export function trialAdder(journal: Journal): AddTrials {
  const remembered = lruCache<number, TrialRow>(REMEMBERED);
  return async (founds, tallies) => {
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
}

/** Counts an evaluation's trials. */
export class Tally {
  /** The evaluation. */
  readonly entry: EvaluationEntry;
  private readonly digests: Set<string> = new Set();
  /** The first trial of the first row: rows are ordered by digest. */
  private first: (TrialRow & { readonly started: number }) | undefined;

  constructor(entry: EvaluationEntry) {
    this.entry = entry;
  }

  /** Adds a trial. */
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

  /** The counts of the added trials. */
  get counts(): Counts {
    return { rows: this.digests.size, dataset: this.first?.dataset ?? null };
  }
}

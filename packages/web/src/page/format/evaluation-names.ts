// Names of evaluations on the page: their own name if it is distinctive, else the model, else the ID.

import { cutText, distinctLabels } from "@assay/eval-engine/words";
import type { ListedEvaluation } from "../data/answers.ts";
import { shown } from "./shown.ts";

/** An evaluation in a column. */
export interface NamedEvaluation {
  readonly id: string;
  /** Long names without their middle: they mostly differ at their ends. */
  readonly name: string;
  readonly fullName: string;
  /** A, B, C … in the order of the columns. */
  readonly letter: string;
  /** The index among the columns, for its colour. */
  readonly index: number;
  readonly listed: ListedEvaluation | undefined;
}

/** These evaluations with their names, in order. */
export function namedEvaluations(
  ids: readonly string[],
  listed: readonly ListedEvaluation[],
): readonly NamedEvaluation[] {
  const known = new Map(listed.map((one) => [one.id, one]));
  const labels = distinctLabels(ids.map((id) => known.get(id) ?? { id, name: null, model: null }));
  const short = labels.map(withoutMiddle);
  const isDistinct = new Set(short).size === new Set(labels).size;
  return ids.map((id, index) => ({
    id,
    name: shown((isDistinct ? short : labels)[index]!),
    fullName: shown(labels[index]!),
    letter: letterOf(index),
    index,
    listed: known.get(id),
  }));
}

/** The most characters of a name, and how many of them are from its beginning. */
const LONGEST = { name: 56, beginning: 32 } as const;

function withoutMiddle(name: string): string {
  if (name.length <= LONGEST.name) return name;
  // Characters as readers see them are not cut.
  const characters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  const end = characters.slice(LONGEST.beginning - LONGEST.name + 1);
  return `${cutText(name, LONGEST.beginning)}${end.join("")}`;
}

/** The most evaluations that are readable side by side. */
const MOST_COLUMNS = 5;

/** The evaluations to show side by side: all, or of too many the compared pair and the last others. */
export function columnsOf(
  evaluations: readonly NamedEvaluation[],
  { baseline, candidate }: { readonly baseline: string | undefined; readonly candidate: string },
): readonly NamedEvaluation[] {
  if (evaluations.length <= MOST_COLUMNS) return evaluations;
  const isPair = ({ id }: NamedEvaluation): boolean => id === baseline || id === candidate;
  const pair = evaluations.filter(isPair);
  const others = evaluations.filter((one) => !isPair(one)).slice(pair.length - MOST_COLUMNS);
  return evaluations.filter((one) => pair.includes(one) || others.includes(one));
}

/** The letter of a column: A to Z, then A1, B1 … */
export function letterOf(index: number): string {
  const round = Math.floor(index / 26);
  return `${String.fromCharCode(65 + (index % 26))}${round === 0 ? "" : round}`;
}

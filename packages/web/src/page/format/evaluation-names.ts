// What evaluations are called on the page: by name where that tells them apart, else by model, else by id.

import { refName } from "@assay/eval-engine/words";
import type { ListedEvaluation } from "../data/answers.ts";
import { shown } from "./shown.ts";

/** An evaluation as a column shows it. */
export interface NamedEvaluation {
  readonly id: string;
  readonly name: string;
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
  const namings = [
    (id: string) => known.get(id)?.name,
    (id: string) => refName(known.get(id)?.model ?? null),
  ];
  const telling = namings.find((name) => {
    const names = ids.map(name);
    return names.every((text) => text != null && text !== "") && new Set(names).size === ids.length;
  });
  return ids.map((id, index) => ({
    id,
    name: shown(telling?.(id) ?? id),
    letter: letterOf(index),
    index,
    listed: known.get(id),
  }));
}

/** A to Z, then A1, B1 … */
function letterOf(index: number): string {
  const round = Math.floor(index / 26);
  return `${String.fromCharCode(65 + (index % 26))}${round === 0 ? "" : round}`;
}

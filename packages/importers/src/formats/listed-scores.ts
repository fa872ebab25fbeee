// Reads lists of scores: objects with the name of a scorer, its score, and its explanations.

import type { Json } from "@assay/base";
import { at, isObject, type JsonObject, textAt } from "../json/json-text.ts";
import { uniqueNames } from "../tables/shapes/column-names.ts";

/** The scores in a list by their names, which get numbers if they repeat, and the scorers' explanations. */
export function listedScores(list: readonly Json[]): {
  readonly scores: JsonObject;
  readonly scorers: JsonObject | undefined;
} {
  const names = uniqueNames(list.map((one) => textAt(one, "name") ?? "score"));
  const scores = list.map((one, i) => [names[i]!, at(one, "score") ?? null] as const);
  const scorers = list.flatMap((one, i) => {
    const told = isObject(one) ? Object.entries(one).filter((member) => isTold(...member)) : [];
    return told.length === 0 ? [] : [[names[i]!, Object.fromEntries(told)] as const];
  });
  return {
    scores: Object.fromEntries(scores),
    scorers: scorers.length === 0 ? undefined : Object.fromEntries(scorers),
  };
}

function isTold(name: string, value: Json): boolean {
  return (name === "description" || name === "metadata") && value !== null;
}

// Lists of scores: objects with the name of a score, its value, and what explains it.

import type { Json } from "@assay/base";
import { isObject, type JsonObject, memberOf, textAt } from "../../json/json-text.ts";

/** Members with the name of a score, which name nothing else. */
const OWN_NAMES = ["metric", "metricName", "scorer", "key", "criterion", "evaluator"];
const SCORE_NAMES = ["name", ...OWN_NAMES, "type"];
const SCORE_VALUES = ["value", "score", "result", "passed", "pass"];
/** The members of a score that explain it; a label does so in one word. */
const BESIDE_SCORE: ReadonlySet<string> = new Set([
  ...[...SCORE_NAMES, "label", "kind", "source", "metadata", "direction", "evaluator_version"],
  ...["explanation", "reason", "reasoning", "rationale", "justification", "comment", "error"],
]);

/** The scores in a list, each with its name and the member that has its value; undefined if an element lacks either. */
export function namedScores(
  list: readonly Json[],
): readonly (readonly [string, JsonObject, string])[] | undefined {
  const scores = list.map((one) => {
    if (!isObject(one)) return undefined;
    const name = SCORE_NAMES.map((key) => textAt(one, key)).find((text) => text !== undefined);
    const member = SCORE_VALUES.find((key) => memberOf(one, key) !== undefined);
    return name === undefined || member === undefined ? undefined : ([name, one, member] as const);
  });
  return scores.every((score) => score !== undefined) ? scores : undefined;
}

/** Whether a value is a list of scores by what is in it, as evaluators of openevals return: `[{"key": …, "score": …}]`. */
export function isScoreList(value: Json | undefined): boolean {
  const scores = Array.isArray(value) && value.length > 0 ? namedScores(value) : undefined;
  return (
    scores?.every(
      ([, one, member]) =>
        OWN_NAMES.some((key) => textAt(one, key) !== undefined) &&
        Object.keys(one).every((key) => key === member || BESIDE_SCORE.has(key)),
    ) === true
  );
}

/** The value of an object that is a single score with its explanation; undefined for other objects. */
export function judgedValue(object: Json): Json | undefined {
  if (!isObject(object)) return undefined;
  const value = ["score", "value", "label"].find(
    (name) => typeof (memberOf(object, name) ?? {}) !== "object",
  );
  const others = Object.entries(object).filter(([name]) => name !== value);
  const isBeside = ([name, member]: readonly [string, Json]) =>
    member === null || (BESIDE_SCORE.has(name) && typeof member !== "number" && typeof member !== "boolean");
  return value !== undefined && others.length > 0 && others.every(isBeside) ? object[value] : undefined;
}

/** Whether a value is a single score with its explanation: `{"score": 4, "reason": "…"}`. */
export function isJudgedScore(value: Json | undefined): boolean {
  return isObject(value) && typeof judgedValue(value) === "number" && memberOf(value, "score") !== undefined;
}

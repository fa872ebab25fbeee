// When a score counts as passed, as a person says it: `quality >= 0.5`, `label == good`. A score that is true or false
// passes by being true; of a number or a text that is unknown.

import { bad, type Json, ok, type Result } from "@assay/base";

/** One rule. */
export interface PassRule {
  /** The rule as it was written. */
  readonly text: string;
  /** The score's path, as queries write it. */
  readonly score: string;
  /** Whether a value of the score passes; undefined when it has no value that can be compared. */
  passes(value: Json): boolean | undefined;
}

type Compare = (a: number, b: number) => boolean;

const OPERATORS: ReadonlyMap<string, Compare> = new Map([
  [">=", (a, b) => a >= b],
  ["<=", (a, b) => a <= b],
  [">", (a, b) => a > b],
  ["<", (a, b) => a < b],
  ["==", (a, b) => a === b],
  ["=", (a, b) => a === b],
  ["!=", (a, b) => a !== b],
]);

/**
 * Reads a rule: a score's path, one of `>= > <= < == !=`, and a number; after `==` and `!=` also a text. Issue code:
 * `value_error`.
 */
export function readPassRule(text: string): Result<PassRule> {
  const [, score, operator, limit] = /^\s*(.+?)\s*(>=|<=|==|!=|>|<|=)\s*(\S.*?)\s*$/.exec(text) ?? [];
  const compare = OPERATORS.get(operator ?? "");
  const bound = Number(limit);
  const isText = Number.isNaN(bound) && (operator === "==" || operator === "=" || operator === "!=");
  if (score === undefined || compare === undefined || (Number.isNaN(bound) && !isText)) {
    const message = `${JSON.stringify(text)} is not a pass rule; write one like "score>=0.5" or "label==good"`;
    return bad([{ code: "value_error", path: [], message }]);
  }
  return ok({
    text: `${score} ${operator === "=" ? "==" : operator} ${limit}`,
    score,
    passes(value) {
      if (isText)
        return typeof value === "string" ? (value.trim() === limit) === (operator !== "!=") : undefined;
      const number = typeof value === "boolean" ? Number(value) : value;
      return typeof number === "number" ? compare(number, bound) : undefined;
    },
  });
}

/** The name of the score that holds whether another passes: of `style.brevity` it is `style_brevity_pass`. */
export function passName(rule: PassRule): string {
  return `${rule.score.replaceAll("\\", "").replaceAll(".", "_")}_pass`;
}

// Rules for when a score passes, as a user writes them: `quality >= 0.5`, `label == good`. A boolean score passes if it
// is true; numbers and texts need a rule.

import { bad, type Json, ok, type Result } from "@assay/base";

/** One rule. */
export interface PassRule {
  /** The rule as written. */
  readonly text: string;
  /** The score's path, as in queries. */
  readonly score: string;
  /** Whether a value of the score passes; undefined if it cannot be compared. */
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
 * Parses a rule to add to others: a score's path, one of `>= > <= < == !=`, and a number; after `==` and `!=` also a
 * text. Issue code: `value_error`, also if another rule has a result of the same name.
 */
export function readPassRule(text: string, others: readonly PassRule[] = []): Result<PassRule> {
  const parts = /^(.+?)(>=|<=|==|!=|>|<|=)(.+)$/s.exec(text.trim()) ?? [];
  const [, score, operator, limit] = parts.map((part) => part.trim());
  const compare = OPERATORS.get(operator ?? "");
  const bound = Number(limit);
  const isText = Number.isNaN(bound) && (operator === "==" || operator === "=" || operator === "!=");
  if (score === undefined || compare === undefined || (Number.isNaN(bound) && !isText)) {
    const message = `${JSON.stringify(text)} is not a pass rule; write one like "score>=0.5" or "label==good"`;
    return bad([{ code: "value_error", path: [], message }]);
  }
  const rule: PassRule = {
    text: `${score} ${operator === "=" ? "==" : operator} ${limit}`,
    score,
    passes(value) {
      if (isText)
        return typeof value === "string" ? (value.trim() === limit) === (operator !== "!=") : undefined;
      const number = typeof value === "boolean" ? Number(value) : value;
      return typeof number === "number" ? compare(number, bound) : undefined;
    },
  };
  const other = others.find((one) => passName(one) === passName(rule) && one.text !== rule.text);
  if (other === undefined) return ok(rule);
  const message = `${JSON.stringify(other.text)} and ${JSON.stringify(rule.text)} both decide ${passName(rule)}; give one of them`;
  return bad([{ code: "value_error", path: [], message }]);
}

/** The name of the score that holds whether another score passes: `style_brevity_pass` for `style.brevity`. */
export function passName(rule: PassRule): string {
  return `${rule.score.replaceAll("\\", "").replaceAll(".", "_")}_pass`;
}

/** Whether a rule applies to a score. */
export function ruleApplies(rule: PassRule, path: string, keys: readonly string[]): boolean {
  return rule.score === path || (keys.length === 1 && rule.score === keys[0]);
}

// Sort keys as a text: `Δcorrect, inputs.level of gpt-b desc`.

import { bad, type Issue, ok, type Result } from "@assay/base";
import type { FieldPath } from "../expression/expr.ts";
import { printField } from "./print-expression.ts";
import { textIssue } from "./text-issue.ts";
import { pathOf, type Token, tokensOf } from "./tokens.ts";

/** One sort key, as a text names it. */
export interface SortTerm {
  /** The field, or a name that people use for it. */
  readonly path: FieldPath;
  /** Sorts by how much evaluations differ in the field: `Δcorrect`, or `diff(correct)` for keyboards without Δ. */
  readonly difference: boolean;
  /** Largest first. Default: true for differences, else false. */
  readonly descending: boolean;
  /** The name or ID of the evaluation whose values to sort by; undefined for all. */
  readonly evaluation: string | undefined;
}

/**
 * The sort keys that `text` names, most significant first: `Δfield`, `diff(field)` or `field`, then `of EVALUATION`,
 * then `asc` or `desc`, separated by commas. An issue's `path` is its offset in UTF-16 units, and its code is
 * `value_error`.
 */
export function readSort(text: string): Result<readonly SortTerm[]> {
  const tokens = tokensOf(text);
  if (!tokens.ok) return tokens;
  const reading: Reading = { text, tokens: tokens.value, at: 0 };
  const terms: SortTerm[] = [];
  do {
    const term = readTerm(reading);
    if ("code" in term) return bad([term]);
    terms.push(term);
  } while (take(reading, ","));
  if (here(reading).kind === "end") return ok(terms);
  return bad([wrong(reading, "expected of EVALUATION, asc, desc, a comma or the end")]);
}

/** Prints `terms` as text. */
export function printSort(terms: readonly SortTerm[]): string {
  return terms.map(termText).join(", ");
}

function termText({ path, difference, descending, evaluation }: SortTerm): string {
  const of = evaluation === undefined ? "" : ` of ${JSON.stringify(evaluation)}`;
  return `${difference ? "Δ" : ""}${printField(path)}${of} ${descending ? "desc" : "asc"}`;
}

interface Reading {
  readonly text: string;
  readonly tokens: readonly Token[];
  at: number;
}

function readTerm(reading: Reading): SortTerm | Issue {
  const called = wordOf(here(reading)) === "diff" && isSymbol(reading.tokens[reading.at + 1]!, "(");
  if (called) reading.at += 2;
  const difference = called || take(reading, "Δ") || take(reading, "∆");
  const path = pathOf(here(reading));
  if (path === undefined)
    return wrong(reading, "expected a field to sort by, as in Δcorrect or inputs.level");
  reading.at++;
  if (called && !take(reading, ")")) return wrong(reading, "expected ) after the field of diff");
  const evaluation = readEvaluation(reading);
  if (typeof evaluation === "object") return evaluation;
  const direction = wordOf(here(reading));
  const directed = direction === "asc" || direction === "desc";
  if (directed) reading.at++;
  return { path, difference, descending: directed ? direction === "desc" : difference, evaluation };
}

/** The name after `of`, quoted unless it is a single word. */
function readEvaluation(reading: Reading): string | Issue | undefined {
  if (wordOf(here(reading)) !== "of") return undefined;
  reading.at++;
  const name = here(reading);
  if (name.kind === "end" || name.kind === "symbol")
    return wrong(reading, "expected the name or id of an evaluation after of");
  reading.at++;
  return name.kind === "string" ? name.value : reading.text.slice(name.start, name.end);
}

function here({ tokens, at }: Reading): Token {
  return tokens[at]!;
}

function wordOf(token: Token): string | undefined {
  return token.kind === "word" ? token.text.toLowerCase() : undefined;
}

function isSymbol(token: Token, text: string): boolean {
  return token.kind === "symbol" && token.text === text;
}

function take(reading: Reading, text: string): boolean {
  const taken = isSymbol(here(reading), text);
  if (taken) reading.at++;
  return taken;
}

function wrong(reading: Reading, message: string): Issue {
  return textIssue(here(reading).start, message);
}

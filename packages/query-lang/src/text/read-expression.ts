// Parses an expression text. The grammar is in docs/reference/query-text.md. Recursion is limited by the nesting of
// queries, and the result must be a query that can be sent in wire format.

import { bad, type Issue, type Json, type Result } from "@assay/base";
import type { Cast, Comparison, Expr, FieldPath } from "../expression/expr.ts";
import { LIMITS } from "../expression/limits.ts";
import { printQuery } from "../expression/print.ts";
import { listed } from "../parse/message-text.ts";
import { readQuery } from "../parse/read.ts";
import { textIssue } from "./text-issue.ts";
import { isKeyword, type Token, tokensOf } from "./tokens.ts";

/** How to read a text. */
export interface ReadExpressionOptions {
  /** Why the field at `path` is not allowed; undefined if it is. Default: every field is allowed. */
  readonly field?: (path: FieldPath) => string | undefined;
}

const COMPARISONS: ReadonlyMap<string, Comparison | "ne"> = new Map([
  ["=", "eq"],
  ["==", "eq"],
  ["!=", "ne"],
  ["<>", "ne"],
  ["<", "lt"],
  ["<=", "lte"],
  [">", "gt"],
  [">=", "gte"],
]);
const CASTS: readonly Cast[] = ["double", "int", "bool", "string", "exists"];
const CONSTANTS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Operators of other languages, with what to write instead. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ["&&", "and"],
  ["||", "or"],
  ["!", "not"],
  ["===", "="],
  ["!==", "!="],
  ["is", "= or !="],
  ["like", "contains"],
  ["ilike", "icontains"],
]);

const VALUES = 'a field, a number, "a text", true, false, null, a list or (';

/** Limits operations and parentheses around an expression; each operation may have its own parentheses. */
const MOST_NESTED = 2 * LIMITS.depth;

/**
 * The condition that `text` expresses, such as `inputs.category = "math" and scores.quality < 0.5`. A field by itself
 * is read as a boolean. An issue's `path` is its offset in UTF-16 units, and its code is `value_error`. Every field
 * that is not allowed is an issue, but only the first syntax error is.
 */
export function readExpression(text: string, options: ReadExpressionOptions = {}): Result<Expr> {
  const tokens = tokensOf(text);
  if (!tokens.ok) return tokens;
  const reading: Reading = { tokens: tokens.value, at: 0, nested: 0, fault: undefined, fields: new Map() };
  const read = readWhole(reading);
  if (read === undefined) return bad([reading.fault!]);
  const refused = refusedFields(reading.fields, options.field);
  if (refused.length > 0) return bad(refused);
  const checked = readQuery(printQuery(read), { at: [], field: () => undefined });
  return checked.ok ? checked : bad([textIssue(0, checked.issues[0]!.message)]);
}

/**
 * The state of parsing. The functions of the parser return undefined if they cannot continue, with the reason in
 * `fault`.
 */
interface Reading {
  readonly tokens: readonly Token[];
  at: number;
  nested: number;
  fault: Issue | undefined;
  /** The offset of each field. */
  readonly fields: Map<FieldPath, number>;
}

function refusedFields(
  fields: ReadonlyMap<FieldPath, number>,
  why: ReadExpressionOptions["field"] = () => undefined,
): readonly Issue[] {
  const issues: Issue[] = [];
  for (const [path, offset] of fields) {
    const refusal = why(path);
    if (refusal !== undefined && issues.length < LIMITS.issues) issues.push(textIssue(offset, refusal));
  }
  return issues;
}

function readWhole(reading: Reading): Expr | undefined {
  const expr = readList(reading, "or");
  if (expr === undefined) return undefined;
  const rest = here(reading);
  if (rest.kind !== "end") return fault(reading, afterWhole(rest));
  return isValue(expr)
    ? { kind: "compare", op: "eq", left: expr, right: { kind: "literal", value: true } }
    : expr;
}

function afterWhole(token: Token): string {
  const foreign =
    token.kind === "word" || token.kind === "symbol" ? FOREIGN.get(token.text.toLowerCase()) : undefined;
  if (foreign !== undefined) return `write ${foreign} here, not ${shown(token)}`;
  if (token.kind === "symbol" && COMPARISONS.has(token.text))
    return "a comparison has two sides: write a < b and b < c for a < b < c";
  return `expected =, !=, <, <=, >, >=, in, contains, icontains, and, or or the end, not ${shown(token)}`;
}

function isValue({ kind }: Expr): boolean {
  return kind === "literal" || kind === "field" || kind === "convert";
}

/** `a or b or c`, where each part is `d and e`. */
function readList(reading: Reading, kind: "and" | "or"): Expr | undefined {
  const operands: Expr[] = [];
  do {
    const operand = kind === "or" ? readList(reading, "and") : readNegation(reading);
    if (operand === undefined) return undefined;
    operands.push(operand);
  } while (takeWord(reading, kind));
  return operands.length === 1 ? operands[0] : { kind, operands };
}

function readNegation(reading: Reading): Expr | undefined {
  if (!takeWord(reading, "not")) return readRelation(reading);
  const operand = nested(reading, () => readNegation(reading));
  return operand && { kind: "not", operand };
}

function readRelation(reading: Reading): Expr | undefined {
  const left = readValue(reading);
  if (left === undefined) return undefined;
  const token = here(reading);
  if (token.kind === "symbol") {
    const op = COMPARISONS.get(token.text);
    if (op === undefined) return left;
    reading.at++;
    const right = readValue(reading);
    return (
      right &&
      (op === "ne" ? not({ kind: "compare", op: "eq", left, right }) : { kind: "compare", op, left, right })
    );
  }
  const negative = isWord(token, "not");
  if (negative) reading.at++;
  const relation = readWordRelation(reading, left);
  if (relation === "none")
    return negative ? fault(reading, "expected in, contains or icontains after not") : left;
  return relation && negative ? not(relation) : relation;
}

/** The comparison of `left` that a word introduces; `none` if the word introduces none. */
function readWordRelation(reading: Reading, left: Expr): Expr | "none" | undefined {
  if (takeWord(reading, "in")) {
    const list = readMembers(reading);
    return list && { kind: "in", needle: left, list };
  }
  const caseInsensitive = isWord(here(reading), "icontains");
  if (!takeWord(reading, "contains") && !takeWord(reading, "icontains")) return "none";
  const substr = readValue(reading);
  return substr && { kind: "contains", input: left, substr, caseInsensitive };
}

function not(operand: Expr): Expr {
  return { kind: "not", operand };
}

/** The list after `in`, in square brackets or, as in SQL, in parentheses. */
function readMembers(reading: Reading): readonly Expr[] | undefined {
  const open = here(reading);
  const close = isSymbol(open, "[") ? "]" : isSymbol(open, "(") ? ")" : undefined;
  if (close === undefined)
    return fault(reading, `expected a list such as [1, 2] after in, not ${shown(open)}`);
  reading.at++;
  return readItems(reading, { open, close, item: () => readList(reading, "or") });
}

function readValue(reading: Reading): Expr | undefined {
  const token = here(reading);
  switch (token.kind) {
    case "number":
    case "string":
      reading.at++;
      return { kind: "literal", value: token.value };
    case "field":
      return readField(reading, token, token.path);
    case "word":
      return readWord(reading, token, token.text);
    case "symbol":
      return readBracketed(reading, token, token.text);
    case "end":
      return fault(reading, `expected ${VALUES}, but the text ends here`);
  }
}

function readField(reading: Reading, { start }: Token, path: FieldPath): Expr {
  reading.at++;
  reading.fields.set(path, start);
  return { kind: "field", path };
}

function readWord(reading: Reading, token: Token, text: string): Expr | undefined {
  const word = text.toLowerCase();
  const constant = CONSTANTS.get(word);
  if (constant !== undefined) {
    reading.at++;
    return { kind: "literal", value: constant };
  }
  const next = reading.tokens[reading.at + 1]!;
  if (isSymbol(next, "(")) return readCall(reading, next, text);
  if (isKeyword(word)) return fault(reading, `expected ${VALUES}, not ${shown(token)}`);
  return readField(reading, token, [text]);
}

/** A function call: `double(a)`, `and(a)`. */
function readCall(reading: Reading, open: Token, name: string): Expr | undefined {
  const to = CASTS.find((cast) => cast === name);
  const kind = (["and", "or"] as const).find((one) => one === name.toLowerCase());
  if (to === undefined && kind === undefined)
    return fault(reading, `unknown function ${JSON.stringify(name)}; the functions are ${listed(CASTS)}`);
  reading.at += 2;
  const operands = readItems(reading, { open, close: ")", item: () => readList(reading, "or") });
  if (operands === undefined) return undefined;
  if (kind !== undefined && operands.length > 0) return { kind, operands };
  if (to !== undefined && operands.length === 1) return { kind: "convert", to, input: operands[0]! };
  reading.at--;
  return fault(reading, `${name} takes ${to === undefined ? "at least one operand" : "one operand"}`);
}

function readBracketed(reading: Reading, token: Token, text: string): Expr | undefined {
  if (text === "(") {
    reading.at++;
    const items = readItems(reading, {
      open: token,
      close: ")",
      item: () => readList(reading, "or"),
      single: true,
    });
    return items?.[0];
  }
  if (text === "[" || text === "{") {
    const value = readConstant(reading);
    return value === undefined ? undefined : { kind: "literal", value };
  }
  const foreign = FOREIGN.get(text);
  return fault(
    reading,
    foreign === undefined ? `expected ${VALUES}, not ${shown(token)}` : `write ${foreign} here, not ${text}`,
  );
}

/** A constant, which may be a list or object of constants, as in JSON. */
function readConstant(reading: Reading): Json | undefined {
  const token = here(reading);
  const constant = token.kind === "word" ? CONSTANTS.get(token.text.toLowerCase()) : undefined;
  if (token.kind === "number" || token.kind === "string" || constant !== undefined) {
    reading.at++;
    return "value" in token ? token.value : constant;
  }
  if (isSymbol(token, "[")) {
    reading.at++;
    return readItems(reading, { open: token, close: "]", item: () => readConstant(reading) });
  }
  if (isSymbol(token, "{")) {
    reading.at++;
    const members = readItems(reading, { open: token, close: "}", item: () => readMember(reading) });
    // Defines own properties for all keys: unlike assignment, `fromEntries` defines `__proto__` too.
    return members && (Object.fromEntries(members) as Json);
  }
  return fault(reading, `a list or object in a comparison may hold only constants, not ${shown(token)}`);
}

function readMember(reading: Reading): readonly [string, Json] | undefined {
  const key = here(reading);
  if (key.kind !== "string") return fault(reading, `expected a key in quotes, not ${shown(key)}`);
  reading.at++;
  if (!takeSymbol(reading, ":")) return fault(reading, `expected :, not ${shown(here(reading))}`);
  const value = readConstant(reading);
  return value === undefined ? undefined : [key.value, value];
}

interface Items<T> {
  readonly open: Token;
  readonly close: string;
  readonly item: () => T | undefined;
  /** Whether there must be exactly one item. */
  readonly single?: boolean;
}

/** The comma-separated items up to `close`; `open` has been read. */
function readItems<T>(
  reading: Reading,
  { open, close, item, single = false }: Items<T>,
): readonly T[] | undefined {
  const items: T[] = [];
  if (!single && takeSymbol(reading, close)) return items;
  do {
    const one = nested(reading, item);
    if (one === undefined) return undefined;
    items.push(one);
  } while (!single && takeSymbol(reading, ","));
  if (takeSymbol(reading, close)) return items;
  const rest = here(reading);
  const why =
    rest.kind === "end"
      ? `${close} is missing for the ${shown(open)} at character ${open.start + 1}`
      : `expected ${single ? "" : ", or "}${close}, not ${shown(rest)}`;
  return fault(reading, why);
}

/** The result of `read`, one level deeper. */
function nested<T>(reading: Reading, read: () => T | undefined): T | undefined {
  if (reading.nested === MOST_NESTED)
    return fault(reading, `a query may nest at most ${LIMITS.depth} levels deep`);
  reading.nested++;
  const value = read();
  reading.nested--;
  return value;
}

function here({ tokens, at }: Reading): Token {
  return tokens[at]!;
}

function isWord(token: Token, word: string): boolean {
  return token.kind === "word" && token.text.toLowerCase() === word;
}

function isSymbol(token: Token, text: string): boolean {
  return token.kind === "symbol" && token.text === text;
}

function takeWord(reading: Reading, word: string): boolean {
  const taken = isWord(here(reading), word);
  if (taken) reading.at++;
  return taken;
}

function takeSymbol(reading: Reading, text: string): boolean {
  const taken = isSymbol(here(reading), text);
  if (taken) reading.at++;
  return taken;
}

/** Reports a fault at the next token. */
function fault(reading: Reading, message: string): undefined {
  reading.fault ??= textIssue(here(reading).start, message);
}

function shown(token: Token): string {
  switch (token.kind) {
    case "end":
      return "the end";
    case "word":
    case "symbol":
      return token.text;
    case "number":
      return String(token.value);
    case "string":
      return "a text";
    case "field":
      return "a field";
  }
}

// The tokens of an expression text. Takes linear time: every pattern begins where the previous match ended.

import { type Issue, ok, type Result } from "@assay/base";
import type { FieldPath } from "../expression/expr.ts";
import { printFieldPath, readFieldPath } from "../expression/field-path.ts";
import { textIssue } from "./text-issue.ts";

/** A token with its offset in UTF-16 units. */
export type Token = { readonly start: number; readonly end: number } & (
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "string"; readonly value: string }
  /** One bare word: a keyword, function or field, depending on its position. */
  | { readonly kind: "word"; readonly text: string }
  /** A path with several segments, or a quoted one. */
  | { readonly kind: "field"; readonly path: FieldPath }
  | { readonly kind: "symbol"; readonly text: string }
  | { readonly kind: "end" }
);

/** Keywords, in any case. Fields with these names must be quoted. */
const KEYWORDS = new Set(["and", "or", "not", "in", "contains", "icontains", "true", "false", "null"]);

const SPACE = /\s*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*'/sy;
const WORD = /(?!Δ)[\p{L}_][\p{L}\p{M}\p{N}_@/-]*/uy;
const SEGMENT = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_@/-]*/uy;
const INDEX = /(?:0|[1-9][0-9]*)/y;
// Operators of other languages are tokens too, so that messages can suggest alternatives. The Greek capital delta and
// the similar increment sign precede a field to sort by.
const SYMBOL = /===?|!==|!=|<>|<=|>=|&&|\|\||[!=<>()[\]{},:Δ∆]/y;

/** Whether a bare word is a keyword. */
export function isKeyword(word: string): boolean {
  return KEYWORDS.has(word.toLowerCase());
}

/** Whether a field can begin with `segment` without quotes. */
export function isBareHead(segment: string): boolean {
  return matchAt(WORD, segment, 0) === segment && !isKeyword(segment);
}

/** Whether `segment` can follow a dot without quotes. */
export function isBareSegment(segment: string): boolean {
  return matchAt(SEGMENT, segment, 0) === segment;
}

/** The path of a token that is a field; undefined for others. */
export function pathOf(token: Token): FieldPath | undefined {
  if (token.kind === "word") return [token.text];
  return token.kind === "field" ? token.path : undefined;
}

/** The tokens of `text`, ending with the end token. */
export function tokensOf(text: string): Result<readonly Token[]> {
  const tokens: Token[] = [];
  let at = matchAt(SPACE, text, 0)!.length;
  while (at < text.length) {
    const token = tokenAt(text, at);
    if ("code" in token) return { ok: false, issues: [token] };
    tokens.push(token);
    at = token.end + matchAt(SPACE, text, token.end)!.length;
  }
  return ok([...tokens, { kind: "end", start: text.length, end: text.length }]);
}

function tokenAt(text: string, start: number): Token | Issue {
  const first = text[start]!;
  if (first === '"' || first === "'") return stringAt(text, start);
  if (first === "-" || (first >= "0" && first <= "9")) return numberAt(text, start);
  const word = matchAt(WORD, text, start);
  if (word !== undefined) return wordAt(text, start, word);
  if (first === "$") return pathAt(text, start, [], start + 1);
  const symbol = matchAt(SYMBOL, text, start);
  if (symbol !== undefined) return { kind: "symbol", text: symbol, start, end: start + symbol.length };
  const character = String.fromCodePoint(text.codePointAt(start)!);
  return textIssue(start, `${JSON.stringify(character)} is not valid here`);
}

function numberAt(text: string, start: number): Token | Issue {
  const digits = matchAt(NUMBER, text, start);
  const end = start + (digits ?? "-").length;
  const more = matchAt(SEGMENT, text, end) ?? (text[end] === "." ? "." : "");
  if (digits === undefined || more !== "")
    return textIssue(start, "write a number like 3, -0.5 or 1e-3, and anything else in quotes");
  const value = Number(digits);
  if (!Number.isFinite(value)) return textIssue(start, "a number must be in the range of a 64-bit float");
  return { kind: "number", value, start, end };
}

function stringAt(text: string, start: number): (Token & { readonly kind: "string" }) | Issue {
  const quoted = matchAt(STRING, text, start);
  if (quoted === undefined)
    return textIssue(start, `unterminated text: the closing ${text[start]} is missing`);
  const value = unescaped(quoted.slice(1, -1), start + 1);
  if (typeof value !== "string") return value;
  return { kind: "string", value, start, end: start + quoted.length };
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function unescaped(text: string, start: number): string | Issue {
  const wrong = /\\(?!u[0-9a-fA-F]{4}|["'\\/bfnrt])/.exec(text.replaceAll(/\\[\\"']/g, "--"));
  if (wrong !== null)
    return textIssue(start + wrong.index, "after a backslash comes \\ / \" ' b f n r t or u and 4 digits");
  return text.replaceAll(/\\(u[0-9a-fA-F]{4}|.)/g, (_, code: string) =>
    code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (ESCAPES[code] ?? code),
  );
}

function wordAt(text: string, start: number, word: string): Token | Issue {
  const end = start + word.length;
  const goesOn = text[end] === "." || (text[end] === "[" && !isKeyword(word));
  return goesOn ? pathAt(text, start, [word], end) : { kind: "word", text: word, start, end };
}

/** A path whose first segments, up to `from`, have been read. */
function pathAt(text: string, start: number, head: readonly string[], from: number): Token | Issue {
  const path = [...head];
  let at = from;
  while (text[at] === "." || text[at] === "[") {
    const next = text[at] === "." ? segmentAt(text, at + 1) : bracketAt(text, at + 1);
    if ("code" in next) return next;
    path.push(next.segment);
    at = next.end;
  }
  if (path.length === 0)
    return textIssue(start, 'write a name in square brackets after $, as in $["a name"]');
  const checked = readFieldPath(printFieldPath(path));
  return checked.ok ? { kind: "field", path, start, end: at } : textIssue(start, checked.issues[0]!.message);
}

interface Segment {
  readonly segment: string;
  readonly end: number;
}

function segmentAt(text: string, at: number): Segment | Issue {
  const segment = matchAt(SEGMENT, text, at);
  if (segment !== undefined) return { segment, end: at + segment.length };
  return textIssue(at, 'expected a name after the dot; quote other characters, as in inputs["a name"]');
}

function bracketAt(text: string, at: number): Segment | Issue {
  const quoted = text[at] === '"' || text[at] === "'" ? stringAt(text, at) : undefined;
  if (quoted !== undefined && "code" in quoted) return quoted;
  const segment = quoted?.value ?? matchAt(INDEX, text, at);
  const end = quoted?.end ?? at + (segment ?? "").length;
  if (segment !== undefined && text[end] === "]") return { segment, end: end + 1 };
  return textIssue(
    at,
    'write a name in quotes or an index in square brackets, as in inputs["a name"] or outputs[0]',
  );
}

/** The match of the sticky `pattern` at `at`. */
function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

// A condition on rows on the command line: an expression text, or JSON of the query language.

import { type Issue, ok, type Result } from "@assay/base";
import { fieldFault } from "@assay/eval-engine/internal";
import { type FieldPath, pointAt, printQuery, readExpression, readQuery } from "@assay/query-lang";
import { fieldsOf, readFieldPath } from "@assay/query-lang/internal";
import { EXIT, Failure } from "../terminal/failure.ts";
import { measureNamed } from "./score-measures.ts";

/** The expression in `text`, for a filter's `$expr`. Fails with a caret below the error, about the `option`. */
export function whereExpression(text: string, option = "--where"): unknown {
  const read = readWhere(text);
  if (!read.ok) throw failureAt(option, text, read.issues[0]!);
  return read.value;
}

/** The expression in `text`; the path of an issue is its offset. */
export function readWhere(text: string): Result<unknown> {
  const given = jsonObject(text);
  if (given !== undefined) return ok("$expr" in given ? given.$expr : given);
  const read = readExpression(text);
  return read.ok ? ok((printQuery(read.value) as { readonly $expr: unknown }).$expr) : read;
}

/** The fields that such an expression reads; empty if it is invalid, which the query's answer reports. */
export function fieldsOfWhere($expr: unknown): readonly FieldPath[] {
  const read = readQuery({ $expr }, { at: [], field: () => undefined });
  return read.ok ? fieldsOf(read.value) : [];
}

/**
 * The expression with every score that is given only by its name, `correct`, replaced by its field,
 * `scores.match.correct`.
 */
export function withScores($expr: unknown, scores: readonly string[]): unknown {
  if (Array.isArray($expr)) return $expr.map((one) => withScores(one, scores));
  if (typeof $expr !== "object" || $expr === null || "$literal" in $expr) return $expr;
  return Object.fromEntries(
    Object.entries($expr).map(([key, value]) => [
      key,
      key === "$getField" && typeof value === "string" ? scoreOr(value, scores) : withScores(value, scores),
    ]),
  );
}

function scoreOr(field: string, scores: readonly string[]): string {
  const path = readFieldPath(field);
  if (!path.ok || fieldFault(path.value) === undefined) return field;
  const found = measureNamed(field, scores);
  return "field" in found && scores.includes(found.field) ? found.field : field;
}

/** The failure for an option's text, with the position of the issue. */
export function failureAt(option: string, text: string, { message, path }: Issue): Failure {
  const lines = pointAt(text, Number(path[0])).map((line) => `  ${line}`);
  return new Failure(EXIT.usage, [`${option}: ${message}`, ...lines].join("\n"));
}

function jsonObject(text: string): object | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const given: unknown = JSON.parse(text);
    return given as object;
  } catch {
    return undefined;
  }
}

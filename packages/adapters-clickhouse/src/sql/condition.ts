// The expression language in SQL: each expression has the result of `query-lang/src/meaning/interpret.ts`. SQL's NULL
// is the language's unknown; ClickHouse's AND, OR and NOT are Kleene's. Equality and containment are never unknown:
// where SQL returns NULL because a side is NULL, the result is 0.

import {
  asNumber,
  type Comparison,
  type Expr,
  type FieldPath,
  type Json,
  literalSide,
  readingOf,
} from "@assay/query-lang";
import { asBoolean, asText, type Cast, type LiteralSide, type Reading } from "@assay/query-lang/internal";
import { equalityHash } from "../columns/json-paths.ts";
import { foldedText } from "./fold-case.ts";
import type { Parameters, Sql } from "./statement.ts";
import {
  KIND,
  letSql,
  literalValue,
  numberValue,
  type SqlValue,
  textValue,
  truthValue,
  UNKNOWN,
} from "./value.ts";

/** The context for translating an expression. */
export interface ConditionContext {
  /** Collects the literals. */
  readonly parameters: Parameters;
  /** The value of a field. */
  readonly field: (path: FieldPath) => SqlValue;
}

/** Whether `expr` holds: a Nullable(UInt8). Recurses as deep as `expr` nests, which the reader limits. */
export function conditionSql(expr: Expr, context: ConditionContext): Sql {
  switch (expr.kind) {
    case "and":
    case "or": {
      const operands = expr.operands.map((operand) => `(${conditionSql(operand, context)})`);
      return operands.length === 1 ? operands[0]! : `${expr.kind}(${operands.join(", ")})`;
    }
    case "not":
      return `not(${conditionSql(expr.operand, context)})`;
    case "compare":
      return compareSql(expr.op, expr.left, expr.right, context);
    case "in":
      return inSql(expr.needle, expr.list, context);
    case "contains": {
      const [text, part] = [valueSql(expr.input, context).text(), valueSql(expr.substr, context).text()];
      const fold = (sql: Sql) => (expr.caseInsensitive ? foldedText(sql, context.parameters) : sql);
      return knownSql(`position(${fold(text)}, ${fold(part)}) > 0`);
    }
    default:
      return valueSql(expr, context).boolean();
  }
}

function valueSql(expr: Expr, context: ConditionContext): SqlValue {
  switch (expr.kind) {
    case "literal":
      return literalValue(expr.value, context.parameters);
    case "field":
      return context.field(expr.path);
    case "convert":
      return convertSql(expr.to, valueSql(expr.input, context));
    default:
      return truthValue(conditionSql(expr, context));
  }
}

function convertSql(to: Cast, input: SqlValue): SqlValue {
  switch (to) {
    case "double":
      return numberValue(input.number());
    case "int":
      // Adding 0 turns -0 into 0.
      return numberValue(`trunc(${input.number()}) + 0`);
    case "bool":
      return truthValue(asBooleanCast(input));
    case "string":
      return textValue(input);
    case "exists":
      return truthValue(`toNullable(toUInt8(${input.kind()} != ${KIND.null}))`);
  }
}

function asBooleanCast(input: SqlValue): Sql {
  const isNotZero = (): Sql => `toNullable(toUInt8(${input.number()} != 0))`;
  if (input.type === "number") return isNotZero();
  if (input.type !== undefined) return input.boolean();
  return `if(${input.kind()} = ${KIND.number}, ${isNotZero()}, ${input.boolean()})`;
}

const SIGN: Readonly<Record<Comparison, string>> = { eq: "=", gt: ">", lt: "<", gte: ">=", lte: "<=" };
const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  eq: "eq",
  gt: "lt",
  lt: "gt",
  gte: "lte",
  lte: "gte",
};

function compareSql(op: Comparison, left: Expr, right: Expr, context: ConditionContext): Sql {
  return relateSql(op, left, right, literalSide(left, right), context);
}

function relateSql(
  op: Comparison,
  left: Expr,
  right: Expr,
  literal: LiteralSide,
  context: ConditionContext,
): Sql {
  if (literal === "right" && right.kind === "literal")
    return relateToLiteral(op, valueSql(left, context), right.value, context.parameters);
  if (literal === "left" && left.kind === "literal")
    return relateToLiteral(MIRRORED[op], valueSql(right, context), left.value, context.parameters);
  const [a, b] = [valueSql(left, context), valueSql(right, context)];
  if (op !== "eq") return relateAsTheyAre(op, a, b);
  return namedSql(a, context, (one) => namedSql(b, context, (other) => equalAsTheyAre(one, other)));
}

/** Whether two values are equal; null equals null. */
function equalAsTheyAre(left: SqlValue, right: SqlValue): Sql {
  const bothNull = `${left.kind()} = ${KIND.null} AND ${right.kind()} = ${KIND.null}`;
  return knownSql(`if(${bothNull}, 1, ${relateAsTheyAre("eq", left, right)})`);
}

/** A condition that is never unknown: NULL counts as false. */
function knownSql(condition: Sql): Sql {
  return `toNullable(ifNull(toUInt8(${condition}), 0))`;
}

/** `body` over a value with only short readings: a possibly long one is computed once. */
function namedSql(value: SqlValue, { parameters }: ConditionContext, body: (value: SqlValue) => Sql): Sql {
  const { base } = value;
  return base === undefined
    ? body(value)
    : letSql(parameters.name(), base.sql, (name) => body(base.named(name)));
}

function relateToLiteral(op: Comparison, value: SqlValue, literal: Json, parameters: Parameters): Sql {
  const relation = relationToLiteral(op, value, literal, parameters);
  return op === "eq" ? knownSql(relation) : relation;
}

/** The same, but NULL if one side cannot be read as the other. */
function relationToLiteral(op: Comparison, value: SqlValue, literal: Json, parameters: Parameters): Sql {
  const sign = SIGN[op];
  switch (readingOf(literal)) {
    case "null":
      return op === "eq" ? `${value.kind()} = ${KIND.null}` : UNKNOWN;
    case "number":
      return `${value.number()} ${sign} ${parameters.number(asNumber(literal)!)}`;
    case "boolean":
      return `${value.boolean()} ${sign} ${parameters.bind("UInt8", Number(asBoolean(literal)))}`;
    case "text":
      return `${value.text()} ${sign} ${parameters.text(literal as string)}`;
    case "deep":
      return op === "eq" ? `${value.equality()} = ${parameters.text(equalityHash(literal))}` : UNKNOWN;
  }
}

function relateAsTheyAre(op: Comparison, left: SqlValue, right: SqlValue): Sql {
  const sign = SIGN[op];
  const numbers = (): Sql => `${left.number()} ${sign} ${right.number()}`;
  const texts = (): Sql => `${left.text()} ${sign} ${right.text()}`;
  // Whether a value of unknown type is a number (booleans are 1 and 0) or a text. A value of known type is written
  // once; only stored values, which are short, are written for each case.
  const is = ({ type, kind }: SqlValue, what: "number" | "text"): boolean | Sql => {
    if (type !== undefined) return (type === "text") === (what === "text");
    return what === "text" ? `${kind()} = ${KIND.text}` : `${kind()} IN (${KIND.number}, ${KIND.boolean})`;
  };
  const cases = [
    ...caseOf([is(left, "number"), is(right, "number")], numbers),
    ...caseOf([is(left, "text"), is(right, "text")], texts),
  ];
  if (op === "eq" && left.type === undefined && right.type === undefined) {
    const [a, b] = [left.kind(), right.kind()];
    const same = `${a} = ${b} AND ${a} IN (${KIND.object}, ${KIND.array})`;
    cases.push(`${same}, ${left.equality()} = ${right.equality()}`);
  }
  return cases.length === 0 ? UNKNOWN : `multiIf(${cases.join(", ")}, ${UNKNOWN})`;
}

/** A case of a multiIf, unless it is impossible. */
function caseOf(when: readonly (boolean | Sql)[], then: () => Sql): readonly Sql[] {
  if (when.includes(false)) return [];
  const conditions = when.filter((one) => one !== true);
  return [`${conditions.length === 0 ? "1" : conditions.join(" AND ")}, ${then()}`];
}

/** `$in`. A possibly long needle is computed once. */
function inSql(needle: Expr, members: readonly Expr[], context: ConditionContext): Sql {
  const value = valueSql(needle, context);
  if (needle.kind === "literal") return anySql(needle, value, members, context);
  return namedSql(value, context, (named) => anySql(needle, named, members, context));
}

/**
 * Whether `value` equals any member: literals of the same type form one list, so ten thousand of them are one
 * parameter.
 */
function anySql(needle: Expr, value: SqlValue, members: readonly Expr[], context: ConditionContext): Sql {
  const { parameters } = context;
  const literals = members.flatMap((member) => (member.kind === "literal" ? [member.value] : []));
  const read = (reading: Reading) => literals.filter((literal) => readingOf(literal) === reading);
  const pieces: Sql[] = [];
  const [numbers, texts, deep] = [read("number"), read("text"), read("deep")];
  if (numbers.length > 0) {
    const list = parameters.numbers(numbers.map((one) => asNumber(one)!));
    pieces.push(hasSql(list, value.number()));
  }
  if (texts.length > 0) pieces.push(hasSql(parameters.texts(texts.map((one) => asText(one)!)), value.text()));
  for (const one of new Set(read("boolean"))) pieces.push(relateToLiteral("eq", value, one, parameters));
  if (read("null").length > 0) pieces.push(relateToLiteral("eq", value, null, parameters));
  if (deep.length > 0) {
    pieces.push(hasSql(parameters.texts(deep.map(equalityHash)), value.equality()));
  }
  for (const member of members) {
    if (member.kind === "literal") continue;
    const other = valueSql(member, context);
    pieces.push(
      needle.kind === "literal"
        ? relateToLiteral("eq", other, needle.value, parameters)
        : namedSql(other, context, (named) => equalAsTheyAre(value, named)),
    );
  }
  if (pieces.length === 0) return "toNullable(toUInt8(0))";
  return pieces.length === 1 ? pieces[0]! : `or(${pieces.map((one) => `(${one})`).join(", ")})`;
}

/** Whether a list contains a value; it never contains NULL. */
function hasSql(list: Sql, value: Sql): Sql {
  return `toNullable(arrayElement(arrayMap(x -> isNotNull(x) AND has(${list}, assumeNotNull(x)), [${value}]), 1))`;
}

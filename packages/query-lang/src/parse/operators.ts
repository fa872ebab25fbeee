// The operators of the language: the argument of each in wire format, and its expression. Both the reader and the
// published schemas use these tables.

import type { Cast, Comparison, Expr } from "../expression/expr.ts";
import { LIMITS } from "../expression/limits.ts";
import { literal } from "./literal.ts";
import type { JsonSchema, OperandReader, OperandType } from "./operand-types.ts";
import { fieldPath, fields, flag, listOf, member, oneOf, operand, pair } from "./operand-types.ts";
import type { ReadPosition } from "./read-position.ts";

/** One operator: `{ <key>: <argument> }`. */
export interface Operator {
  /** The key of the operation object. */
  readonly key: string;
  /** The name of its schema. */
  readonly title: string;
  /** Its meaning, in a sentence. */
  readonly about: string;
  /** The shape of its argument. */
  readonly schema: JsonSchema;
  /** The expression for an argument; undefined if it was invalid, which was reported to `reader`. */
  readonly read: (argument: unknown, at: ReadPosition, reader: OperandReader) => Expr | undefined;
}

const CASTS: readonly Cast[] = ["double", "string", "int", "bool", "exists"];

/** The operators whose value is true, false or unknown. The operation of `$expr` is one of these. */
export const CONDITIONS: readonly Operator[] = [
  operator({
    key: "$and",
    title: "AndOperation",
    about: "True when all are true. An operand that is not a condition is read as a boolean.",
    takes: listOf(operand, 1, LIMITS.nodes),
    write: (operands) => ({ kind: "and", operands }),
  }),
  operator({
    key: "$or",
    title: "OrOperation",
    about: "True when at least one is true. An operand that is not a condition is read as a boolean.",
    takes: listOf(operand, 1, LIMITS.nodes),
    write: (operands) => ({ kind: "or", operands }),
  }),
  operator({
    key: "$not",
    title: "NotOperation",
    about: "True when the one operand is false.",
    takes: listOf(operand, 1, 1),
    write: ([only]) => ({ kind: "not", operand: only! }),
  }),
  comparison("eq", "EqOperation", "True when both are equal."),
  comparison("gt", "GtOperation", "True when the first is greater than the second."),
  comparison("lt", "LtOperation", "True when the first is less than the second."),
  comparison("gte", "GteOperation", "True when the first is greater than or equal to the second."),
  comparison("lte", "LteOperation", "True when the first is less than or equal to the second."),
  operator({
    key: "$in",
    title: "InOperation",
    about: "True when the first equals any in the list.",
    takes: pair(operand, listOf(member, 0, LIMITS.listMembers)),
    write: ([needle, list]) => ({ kind: "in", needle, list }),
  }),
  operator({
    key: "$contains",
    title: "ContainsOperation",
    about: "True when the text of `input` contains that of `substr`.",
    takes: fields<{ input: Expr; substr: Expr; case_insensitive: boolean }>(
      { input: operand, substr: operand, case_insensitive: flag },
      { case_insensitive: false },
    ),
    write: ({ case_insensitive: caseInsensitive, ...rest }) => ({
      kind: "contains",
      ...rest,
      caseInsensitive,
    }),
  }),
];

/** The operators with other values, which are only allowed as operands. */
export const VALUES: readonly Operator[] = [
  operator({
    key: "$literal",
    title: "LiteralOperation",
    about: "A constant.",
    takes: literal,
    write: (value) => ({ kind: "literal", value }),
  }),
  operator({
    key: "$getField",
    title: "GetFieldOperator",
    about:
      "The value of a field; null when it is missing. Segments are split at dots; `\\.` is a literal dot.",
    takes: fieldPath,
    write: (path) => ({ kind: "field", path }),
  }),
  operator({
    key: "$convert",
    title: "ConvertOperation",
    about: "The input as another type; null when it cannot be converted.",
    takes: fields<{ input: Expr; to: Cast }>({ input: operand, to: oneOf(CASTS) }),
    write: ({ input, to }) => ({ kind: "convert", to, input }),
  }),
];

function operator<T>({
  takes,
  write,
  ...rest
}: {
  readonly key: string;
  readonly title: string;
  readonly about: string;
  readonly takes: OperandType<T>;
  readonly write: (argument: T) => Expr;
}): Operator {
  return {
    ...rest,
    schema: takes.schema,
    read: (raw, at, reader) => {
      const argument = takes.read(raw, at, reader);
      return argument === undefined ? undefined : write(argument);
    },
  };
}

function comparison(op: Comparison, title: string, about: string): Operator {
  return operator({
    key: `$${op}`,
    title,
    about: `${about} A literal decides how the other side is read.`,
    takes: pair(operand, operand),
    write: ([left, right]) => ({ kind: "compare", op, left, right }),
  });
}

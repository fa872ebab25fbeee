// What the types of the query language promise to authors of engines. Only the compiler checks this file; nothing here
// runs.

import type { Issue, Json, Result } from "@assay/base";
import {
  asNumber,
  type Comparison,
  type Expr,
  type FieldPath,
  interpretQuery,
  type ReadOptions,
  readQuery,
  type Truth,
  testQuery,
} from "@assay/query-lang";
import { type Cast, type Reading, readFieldPath } from "@assay/query-lang/internal";
import { expectTypeOf } from "vitest";

declare const expr: Expr;
declare const options: ReadOptions;

// Any outside input can be read, and its faults are returned as data.
expectTypeOf(readQuery).parameter(0).toBeUnknown();
expectTypeOf(readQuery({}, options)).toEqualTypeOf<Result<Expr>>();
const read = readQuery({}, options);
if (read.ok) expectTypeOf(read.value).toEqualTypeOf<Expr>();
else expectTypeOf(read.issues).toEqualTypeOf<readonly Issue[]>();
// @ts-expect-error a result must be asked whether it is ok before its value is read
read.value;

// The query's position in the request is required, so that every issue has its whole path.
// @ts-expect-error `at` is missing
readQuery({}, { field: () => undefined });

// The compiler finds kinds of expressions that an engine forgets.
function kindOf(one: Expr): string {
  switch (one.kind) {
    case "literal":
      expectTypeOf(one.value).toEqualTypeOf<Json>();
      return "value";
    case "field":
      expectTypeOf(one.path).toEqualTypeOf<FieldPath>();
      return "value";
    case "convert":
      expectTypeOf(one.to).toEqualTypeOf<Cast>();
      return "value";
    case "and":
    case "or":
      expectTypeOf(one.operands).toEqualTypeOf<readonly Expr[]>();
      return "logic";
    case "not":
      return kindOf(one.operand);
    case "compare":
      expectTypeOf(one.op).toEqualTypeOf<Comparison>();
      return kindOf(one.left);
    case "in":
      return kindOf(one.needle);
    case "contains":
      expectTypeOf(one.caseInsensitive).toBeBoolean();
      return kindOf(one.substr);
    default:
      expectTypeOf(one).toBeNever();
      return one;
  }
}
kindOf(expr);

// An expression never changes after it has been read, because engines share it and use it as a key.
if (expr.kind === "and") {
  // @ts-expect-error operands are readonly
  expr.operands.push(expr);
}

// Truth has three values, and unknown is not false.
expectTypeOf<Truth>().toEqualTypeOf<boolean | null>();
expectTypeOf(testQuery(expr, () => null)).toEqualTypeOf<Truth>();
expectTypeOf(interpretQuery(expr, () => null)).toEqualTypeOf<Json>();
expectTypeOf(asNumber).returns.toEqualTypeOf<number | null>();
expectTypeOf(readFieldPath("a.b")).toEqualTypeOf<Result<FieldPath>>();
expectTypeOf<Reading>().toExtend<string>();

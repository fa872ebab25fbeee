/**
 * The filter language of the evaluation query: `readQuery` turns unknown JSON into an `Expr` or says all that is wrong
 * with it, `interpret` and `test` are what an expression means, and the readings are what other engines build on.
 *
 * @packageDocumentation
 */
export type { Json } from "@assay/base";
export { compactJson } from "./compact-json.ts";
export { deepEqual } from "./deep-equal.ts";
export type { Cast, Comparison, Expr, FieldPath } from "./expr.ts";
export { getPath, printFieldPath, readFieldPath } from "./field-path.ts";
export { fieldsOf } from "./fields-of.ts";
export { foldCase } from "./fold-case.ts";
export { interpret, test } from "./interpret.ts";
export { type Budget, LIMITS, newBudget } from "./limits.ts";
export { print } from "./print.ts";
export { querySchemas } from "./query-schemas.ts";
export { type ReadOptions, readQuery } from "./read.ts";
export { contains, type LiteralSide, literalSide, relate } from "./relate.ts";
export type { JsonSchema, QueryIssueCode } from "./shape.ts";
export { printExpression } from "./text/print-expression.ts";
export { type ReadExpressionOptions, readExpression } from "./text/read-expression.ts";
export { printSort, readSort, type SortTerm } from "./text/sort-text.ts";
export { pointAt } from "./text/text-issue.ts";
export { asBoolean, asNumber, asText, convert, type Reading, readingOf, type Truth } from "./value.ts";

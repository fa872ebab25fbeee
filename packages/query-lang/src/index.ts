/**
 * The filter language of the evaluation query: `readQuery` turns unknown JSON into an `Expr` or says all that is wrong
 * with it, `interpretQuery` and `testQuery` are what an expression means, and the readings are what other engines build on.
 *
 * @packageDocumentation
 */
export type { Json } from "@assay/base";
export type { Comparison, Expr, FieldPath } from "./expr.ts";
export { getPath } from "./field-path.ts";
export { interpretQuery, testQuery } from "./interpret.ts";
export { LIMITS, newBudget } from "./limits.ts";
export { printQuery } from "./print.ts";
export { querySchemas } from "./query-schemas.ts";
export { type ReadOptions, readQuery } from "./read.ts";
export { literalSide, relateValues } from "./relate.ts";
export { printExpression } from "./text/print-expression.ts";
export { readExpression } from "./text/read-expression.ts";
export { readSort, type SortTerm } from "./text/sort-text.ts";
export { pointAt } from "./text/text-issue.ts";
export { asNumber, readingOf, type Truth } from "./value.ts";

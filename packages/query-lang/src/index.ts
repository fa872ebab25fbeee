/**
 * The filter language of the evaluation query: `readQuery` turns unknown JSON into an `Expr` or lists all issues,
 * `interpretQuery` and `testQuery` define what an expression means, and other engines build on the functions that read
 * values.
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

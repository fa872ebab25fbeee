/**
 * The filter language of the evaluation query: `readQuery` turns unknown JSON into an `Expr` or lists all issues,
 * `interpretQuery` and `testQuery` define what an expression means, and other engines build on the functions that read
 * values.
 *
 * @packageDocumentation
 */
export type { Json } from "@assay/base";
export type { Comparison, Expr, FieldPath } from "./expression/expr.ts";
export { getPath } from "./expression/field-path.ts";
export { LIMITS, newBudget } from "./expression/limits.ts";
export { printQuery } from "./expression/print.ts";
export { interpretQuery, testQuery } from "./meaning/interpret.ts";
export { literalSide, relateValues } from "./meaning/relate.ts";
export { asNumber, readingOf, type Truth } from "./meaning/value.ts";
export { querySchemas } from "./parse/query-schemas.ts";
export { type ReadOptions, readQuery } from "./parse/read.ts";
export { printExpression } from "./text/print-expression.ts";
export { readExpression } from "./text/read-expression.ts";
export { readSort, type SortTerm } from "./text/sort-text.ts";
export { pointAt } from "./text/text-issue.ts";

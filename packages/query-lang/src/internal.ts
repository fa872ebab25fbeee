/**
 * Exports of `@assay/query-lang` for other packages of Assay. Not part of the public API: any release can change or
 * remove a name. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */

export type { Cast } from "./expression/expr.ts";
export { printFieldPath, readFieldPath } from "./expression/field-path.ts";
export { fieldsOf } from "./expression/fields-of.ts";
export { compactJson } from "./meaning/compact-json.ts";
export { deepEqual } from "./meaning/deep-equal.ts";
export { foldCase } from "./meaning/fold-case.ts";
export { contains, type LiteralSide } from "./meaning/relate.ts";
export { asBoolean, asText, convert, type Reading } from "./meaning/value.ts";
export { printField } from "./text/print-expression.ts";
export { readField } from "./text/read-field.ts";
export { isBareHead } from "./text/tokens.ts";

/**
 * What other Assay packages need from `@assay/query-lang`. Not part of its public API: any release can change or
 * remove a name. Assay packages depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export { compactJson } from "./compact-json.ts";
export { deepEqual } from "./deep-equal.ts";
export type { Cast } from "./expr.ts";
export { printFieldPath, readFieldPath } from "./field-path.ts";
export { fieldsOf } from "./fields-of.ts";
export { foldCase } from "./fold-case.ts";
export { contains, type LiteralSide } from "./relate.ts";
export { printField } from "./text/print-expression.ts";
export { readField } from "./text/read-field.ts";
export { isBareHead } from "./text/tokens.ts";
export { asBoolean, asText, convert, type Reading } from "./value.ts";

// The typed expression: the meaning of a filter after parsing. Plain readonly data, without behaviour.

import type { Json } from "@assay/base";

/** The target types of `$convert`. */
export type Cast = "double" | "int" | "bool" | "string" | "exists";

/** The comparisons of `compare`. */
export type Comparison = "eq" | "gt" | "lt" | "gte" | "lte";

/** The segments of a path into JSON: `a.b\.c` is `["a", "b.c"]`. */
export type FieldPath = readonly string[];

/** An expression of the query language. docs/reference/semantics.md, "Comparing", defines each kind. */
export type Expr =
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "field"; readonly path: FieldPath }
  | { readonly kind: "convert"; readonly to: Cast; readonly input: Expr }
  | { readonly kind: "and"; readonly operands: readonly Expr[] }
  | { readonly kind: "or"; readonly operands: readonly Expr[] }
  | { readonly kind: "not"; readonly operand: Expr }
  | { readonly kind: "compare"; readonly op: Comparison; readonly left: Expr; readonly right: Expr }
  | { readonly kind: "in"; readonly needle: Expr; readonly list: readonly Expr[] }
  | {
      readonly kind: "contains";
      readonly input: Expr;
      readonly substr: Expr;
      readonly caseInsensitive: boolean;
    };

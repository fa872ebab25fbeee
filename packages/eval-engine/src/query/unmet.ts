import type { FieldPath } from "@assay/query-lang";
import type { EvalQuery } from "./request.ts";

/**
 * Warnings about the names and literals of a query that selects this number of rows, and about further fields of its
 * question: fields that no row has, and comparisons that can never be true.
 */
export type UnmetNames = (
  query: EvalQuery,
  kept: number,
  more: readonly FieldPath[],
) => Promise<readonly { readonly about: string; readonly message: string }[]>;

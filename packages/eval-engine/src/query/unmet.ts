import type { FieldPath } from "@assay/query-lang";
import type { EvalQuery } from "./request.ts";

/**
 * What is wrong with the names and literals of a query that keeps this number of rows, and with further fields that a
 * question about them names: a field that no row has, or a comparison that can never be true.
 */
export type UnmetNames = (
  query: EvalQuery,
  kept: number,
  more: readonly FieldPath[],
) => Promise<readonly { readonly about: string; readonly message: string }[]>;

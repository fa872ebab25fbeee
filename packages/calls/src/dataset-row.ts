import type { Json } from "@assay/base";

/** A dataset row: its value under its digest or, when given, under a whole reference. */
export interface DatasetRow {
  /** The id at the end of references to it; for content-addressed rows, `rowDigest(val)`. */
  readonly digest: string;
  /** The row itself. */
  readonly val: Json;
  /** The reference it resolves, `<ref of a dataset>/attr/rows/id/<digest>`, when it resolves only that one. */
  readonly ref?: string;
}

import type { Json } from "@assay/base";

/** A dataset row: its value, stored by its digest or, if given, by a complete reference. */
export interface DatasetRow {
  /** The id at the end of references to it; for content-addressed rows, `rowDigest(val)`. */
  readonly digest: string;
  /** The row itself. */
  readonly val: Json;
  /** The reference `<ref of a dataset>/attr/rows/id/<digest>`, if the row is only for this one. */
  readonly ref?: string;
}

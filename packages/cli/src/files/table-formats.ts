// The formats of flat tables, separate from the code that writes them, because the help lists them.

import type { TableFormat } from "@assay/adapters-http/internal";

/** The formats. */
export const TABLE_FORMATS: readonly TableFormat[] = ["csv", "parquet", "jsonl"];

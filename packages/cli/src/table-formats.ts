// The formats of flat tables, apart from what writes them: the command line names them in its help.

import type { TableFormat } from "@assay/adapters-http/internal";

/** The formats. */
export const TABLE_FORMATS: readonly TableFormat[] = ["csv", "parquet", "jsonl"];

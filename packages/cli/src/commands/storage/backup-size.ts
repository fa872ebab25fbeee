// The size of a backup, for people.

import type { BackupReport } from "@assay/adapters-duckdb";
import { counted } from "../../terminal/counted.ts";

/** The size of a backup, such as "9 files of 12.3 MB". */
export function backupSize({ files, bytes }: BackupReport): string {
  const [size, unit] = bytes < 1e6 ? [bytes / 1e3, "kB"] : [bytes / 1e6, "MB"];
  return `${counted(files, "file")} of ${size.toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}

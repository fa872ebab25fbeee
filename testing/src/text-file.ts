import { bytesFile, type ImportFile } from "@assay/importers";

/** A text file to import. */
export function textFile(path: string, text: string): ImportFile {
  return bytesFile(path, new TextEncoder().encode(text));
}

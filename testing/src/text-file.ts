import { bytesFile, type ImportFile } from "@assay/importers";

/** A file of text, to be imported. */
export function textFile(path: string, text: string): ImportFile {
  return bytesFile(path, new TextEncoder().encode(text));
}

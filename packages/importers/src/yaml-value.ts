// The value of a YAML document, which is read whole: no tool writes its large logs so.

import type { Json } from "@assay/base";
import type { ImportFile } from "./import-file.ts";
import { parseJson } from "./json-text.ts";
import { textPieces } from "./text-pieces.ts";
import { Unreadable } from "./unreadable.ts";

const LONGEST = 16 * 1024 * 1024;

/** The one value of the file, as JSON. Throws `Unreadable` when it is long, none, or holds what JSON has not. */
export async function yamlValue(file: ImportFile): Promise<Json> {
  let text = "";
  for await (const piece of textPieces(file)) {
    text += piece;
    if (text.length > LONGEST)
      throw new Unreadable(`YAML of more than ${LONGEST} characters; export it as JSON, which streams`);
  }
  // Loaded when it is needed: few files are YAML, and its reader is a third of a page's code for files.
  const { default: yaml } = await import("yaml");
  let value: string | undefined;
  try {
    // Written as JSON, an alias that stands for much has to fit as well.
    value = JSON.stringify(
      yaml.parse(text.replace(/^\ufeff/, ""), { logLevel: "error", maxAliasCount: 100 }),
    );
  } catch (error) {
    throw new Unreadable(`not valid YAML: ${(error as Error).message.split("\n")[0]}`);
  }
  return value === undefined ? null : parseJson(value, "the document");
}

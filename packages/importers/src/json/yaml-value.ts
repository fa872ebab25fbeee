// Reads a YAML document at once: no tool writes large logs as YAML.

import type { Json } from "@assay/base";
import { Unreadable } from "../files/errors.ts";
import type { ImportFile } from "../files/import-file.ts";
import { textPieces } from "../files/text-pieces.ts";
import { parseJson } from "./json-text.ts";

const LONGEST = 16 * 1024 * 1024;

/**
 * The only document of the file, as JSON. Throws `Unreadable` if it is too long, missing, or holds values that JSON
 * cannot represent.
 */
export async function yamlValue(file: ImportFile): Promise<Json> {
  let text = "";
  for await (const piece of textPieces(file)) {
    text += piece;
    if (text.length > LONGEST)
      throw new Unreadable(`YAML of more than ${LONGEST} characters; export it as JSON, which streams`);
  }
  // Loaded on demand: few files are YAML, and its reader is a third of the page's code for files.
  const { default: yaml } = await import("yaml");
  let value: string | undefined;
  try {
    // Aliases are expanded in JSON, which must stay within the limit too.
    value = JSON.stringify(
      yaml.parse(text.replace(/^\ufeff/, ""), { logLevel: "error", maxAliasCount: 100 }),
    );
  } catch (error) {
    throw new Unreadable(`not valid YAML: ${(error as Error).message.split("\n")[0]}`);
  }
  return value === undefined ? null : parseJson(value, "the document");
}

// Reads a YAML document completely into memory: no tool writes large logs as YAML.

import type { Json } from "@assay/base";
import { Unreadable } from "../files/errors.ts";
import type { ImportFile } from "../files/import-file.ts";
import { textPieces } from "../files/text-pieces.ts";
import { parseJson } from "./json-text.ts";

const LONGEST = 16 * 1024 * 1024;
/** The limit for its texts as JSON, where the target of an alias is written again at each use. */
const LONGEST_EXPANDED = 8 * LONGEST;

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
    const parsed: unknown = yaml.parse(text.replace(/^\ufeff/, ""), { logLevel: "error", maxAliasCount: -1 });
    if (expandedSize(parsed, new Map()) > LONGEST_EXPANDED) throw new Error("its aliases repeat too much");
    value = JSON.stringify(parsed);
  } catch (error) {
    throw new Unreadable(`not valid YAML: ${(error as Error).message.split("\n")[0]}`);
  }
  return value === undefined ? null : parseJson(value, "the document");
}

/** About how many characters a value has as JSON. */
function expandedSize(value: unknown, known: Map<object, number>): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  const found = known.get(value);
  if (found !== undefined) return found;
  // A value that contains itself is infinite.
  known.set(value, Number.POSITIVE_INFINITY);
  let size = 1;
  for (const [key, inside] of Object.entries(value)) size += key.length + expandedSize(inside, known);
  known.set(value, size);
  return size;
}

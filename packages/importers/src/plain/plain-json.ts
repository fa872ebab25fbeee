// JSON as people write it by hand and programs append it: with comments, with commas before closing brackets, and with
// documents one after another that have several lines or commas between them.

import { endOfString } from "@assay/base/internal";
import { parseJson } from "../json/json-text.ts";

/** What ends a run of characters that are copied. */
const MARKS = /["/{}[\],\n]/g;

interface Documents {
  /** The complete documents in a text, without comments and needless commas. */
  readonly documents: readonly string[];
  /** Whether the text is one document, or has one on each line, and nothing was left out. */
  readonly isPlain: boolean;
}

/** The documents in a text that begins like JSON; undefined if something else is between them. */
function documentsIn(text: string): Documents | undefined {
  const documents: string[] = [];
  let parts: string[] = [];
  let [depth, isPlain, hasLines, comma, isApart] = [0, true, false, -1, true];
  const add = (part: string): void => {
    if (part.trim() !== "") comma = -1;
    parts.push(part);
  };
  for (let at = 0; at < text.length; ) {
    MARKS.lastIndex = at;
    const mark = MARKS.exec(text)?.index ?? text.length;
    const between = text.slice(at, mark);
    if (depth > 0) add(between);
    else if (between.trim() !== "") return undefined;
    const char = text[mark] ?? "";
    at = mark + 1;
    if (char === "/" && (text[at] === "/" || text[at] === "*")) {
      const [end, length] = text[at] === "/" ? ["\n", 0] : ["*/", 2];
      const close = text.indexOf(end, at + 1);
      at = close === -1 ? text.length : close + length;
      isPlain = false;
    } else if (depth === 0) {
      if (char === "\n") isApart = true;
      else if (char === "{" || char === "[") {
        if (documents.length > 0 && !isApart) isPlain = false;
        [parts, depth, isApart] = [[char], 1, false];
      } else if (char === ",") isPlain = false;
      else if (char !== "") return undefined;
    } else if (char === '"') {
      at = endOfString(text, mark);
      add(text.slice(mark, at));
    } else if (char === "{" || char === "[") {
      depth++;
      add(char);
    } else if (char === "}" || char === "]") {
      if (comma !== -1) [parts[comma], isPlain] = ["", false];
      depth--;
      add(char);
      if (depth === 0) documents.push(parts.join(""));
    } else if (char === "\n") {
      hasLines = true;
      parts.push(char);
    } else {
      add(char);
      if (char === ",") comma = parts.length - 1;
    }
    // A second document that is a list, or beside lines within one: they are not JSON lines.
    const isSecond = documents.length > 0 && (documents.length > 1 || depth > 0);
    if (isSecond && (hasLines || parts[0] === "[")) isPlain = false;
  }
  return { documents, isPlain };
}

/** Whether a text begins like JSON, in any notation. */
export function beginsLikeJson(sample: string): boolean {
  return /^\s*(?:[[{]|\/[/*])/.test(sample);
}

/** Whether a text that begins like JSON is not plain. */
export function isLenientJson(sample: string): boolean {
  return documentsIn(sample)?.isPlain === false;
}

/** The same as one document, or as JSON lines; undefined if it is not JSON in any other respect. */
export function plainJson(text: string): string | undefined {
  const { documents } = documentsIn(text) ?? { documents: [] };
  try {
    for (const one of documents) parseJson(one, "a document");
  } catch {
    return undefined;
  }
  // Lists are rows of one table.
  if (documents.length > 1 && documents.every((one) => one.startsWith("[")))
    return `[${documents.join(",\n")}]`;
  const lines = documents.map((one) => `${one.replaceAll("\n", " ")}\n`);
  return documents.length > 1 ? lines.join("") : documents[0];
}

// Finds the references to dataset rows in the text of a call.

import { ROW_ID } from "./row-digest.ts";

const SCHEME = "weave:///";
/** What ends a reference in JSON text. */
const END = /["\\\s]/g;

/**
 * The references `weave:///<…>/attr/rows/id/<id>` in a text, in order: of a run of characters without quotes,
 * backslashes and white space, the part up to its last id. Takes time in proportion to the text, whatever it contains.
 */
export function* rowRefsIn(text: string): Generator<string> {
  let end = 0;
  for (let at = text.indexOf(SCHEME); at !== -1; at = text.indexOf(SCHEME, end)) {
    END.lastIndex = at;
    end = END.exec(text)?.index ?? text.length;
    const ref = throughLastId(text.slice(at, end));
    if (ref !== undefined) yield ref;
  }
}

/** The start of `run` up to its last row id, which is not empty; undefined without one. */
function throughLastId(run: string): string | undefined {
  for (let at = run.lastIndexOf(ROW_ID); at >= SCHEME.length; at = run.lastIndexOf(ROW_ID, at - 1)) {
    const start = at + ROW_ID.length;
    const slash = run.indexOf("/", start);
    const end = slash === -1 ? run.length : slash;
    if (end > start) return run.slice(0, end);
  }
  return undefined;
}

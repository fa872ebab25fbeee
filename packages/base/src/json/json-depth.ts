// Checks how deeply a JSON text nests and how many values it has, without parsing it. The text must be valid JSON, which
// is not checked.

import { endOfString } from "./member-text.ts";

const [QUOTE, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Whether lists and objects in a JSON text are nested deeper than `depth`. */
export function textNestsDeeper(text: string, depth: number): boolean {
  if (!hasMoreBrackets(text, depth)) return false;
  let open = 0;
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at);
    at = unit === QUOTE ? endOfString(text, at) : at + 1;
    if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) open--;
    else if ((unit === OPEN_LIST || unit === OPEN_OBJECT) && ++open > depth + 1) return true;
  }
  return false;
}

/** Whether a JSON text has more than `most` values of any kind. An empty list or object counts as two. */
export function textHasMoreValues(text: string, most: number): boolean {
  if (text.length < most) return false;
  let values = 1;
  for (let at = 0; at < text.length && values <= most; ) {
    const unit = text.charCodeAt(at);
    at = unit === QUOTE ? endOfString(text, at) : at + 1;
    if (unit === COMMA || unit === OPEN_LIST || unit === OPEN_OBJECT) values++;
  }
  return values > most;
}

/** A cheap check that few texts fail: without many brackets a text cannot nest deeply. */
function hasMoreBrackets(text: string, depth: number): boolean {
  let brackets = 0;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++brackets > depth) return true;
    }
  }
  return false;
}

// Finds the text of one member in the text of a JSON object, without parsing the rest. The text must be valid JSON,
// which is not checked.

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The JSON text of the member `key` in the JSON text of an object; of several, the last, as in `JSON.parse`. Undefined
 * if there is none, or if the text is not an object.
 */
export function memberText(text: string, key: string): string | undefined {
  let at = afterSpace(text, 0);
  if (text.charCodeAt(at) !== OPEN_OBJECT) return undefined;
  let found: string | undefined;
  at = afterSpace(text, at + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = endOfString(text, at);
    const name = text.slice(at, keyEnd);
    const start = afterSpace(text, afterSpace(text, keyEnd) + 1);
    const end = endOfValue(text, start);
    if (isKey(name, key)) {
      found = text.slice(start, end);
      if (!mayFollow(text, key, end)) return found;
    }
    at = afterSpace(text, end);
    if (text.charCodeAt(at) === COMMA) at = afterSpace(text, at + 1);
  }
  return found;
}

/** Whether a member with this name may follow `at`, written plainly or with unnecessary escapes. */
function mayFollow(text: string, key: string, at: number): boolean {
  return text.includes(JSON.stringify(key), at) || text.includes("\\u", at) || key.includes("/");
}

function isKey(quoted: string, key: string): boolean {
  if (quoted.includes("\\")) return JSON.parse(quoted) === key;
  return quoted.length === key.length + 2 && quoted.startsWith(key, 1);
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
      if (depth === 0) return at;
    } else if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
      depth++;
      at++;
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) {
      // The end of the list or object around the value.
      if (depth === 0) return at;
      at++;
      if (--depth === 0) return at;
    } else {
      if (depth === 0 && (unit === COMMA || isSpace(unit))) return at;
      at++;
    }
  }
  return text.length;
}

function afterSpace(text: string, at: number): number {
  let next = at;
  while (isSpace(text.charCodeAt(next))) next++;
  return next;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

/**
 * The index after the string that starts at `quote`: after its closing quote, or at the end of a text that breaks off.
 */
export function endOfString(text: string, quote: number): number {
  for (let at = quote; ; ) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
}

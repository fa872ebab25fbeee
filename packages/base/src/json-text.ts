// JSON text to values and back without losing how a number was written. A value's numbers are JavaScript's, as everybody
// expects them; where JavaScript would write one otherwise than it was written (`1.0`, `1e5`, integers above 2^53), the
// object or array that holds it remembers the text, and `jsonText` and digests of content look there. Nearly no text has
// such a number: one look over it says so, and then it is read and written by the engine's own JSON.

import type { Json } from "./json.ts";

type Container = readonly Json[] | { readonly [key: string]: Json };

// Of each object or array, the members that remember how they were written.
const remembered = new WeakMap<object, Map<string, string>>();

// Whatever JavaScript might write otherwise: -0, sixteen digits or more, an exponent, a fraction that ends with 0 or is
// below 1e-6.
const SUSPECT = /-0(?!\.)|[\d.]{16}|\d[eE]|\.0{6}|\.\d*0(?!\d)/;

/** Whether `JSON.parse` may lose how a number in a text was written: cheap, and never wrong when it says no. */
export function mayLoseNumbers(text: string): boolean {
  // From string to string: what is between two of them is short, and most of it a colon or a comma.
  for (let at = 0; ; ) {
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    if (end - at > 2 && SUSPECT.test(text.slice(at, end))) return true;
    if (quote === -1) return false;
    at = endOfString(text, quote);
  }
}

/** The value that a JSON text says; its numbers as they were written are remembered. Throws a SyntaxError. */
export function parseJson(text: string): Json {
  if (!mayLoseNumbers(text)) return JSON.parse(text) as Json;
  const mark = unusedMark(text);
  const marked = markNumbers(text, mark);
  return marked === text ? (JSON.parse(text) as Json) : unmark(JSON.parse(marked) as Json, mark);
}

/** How the number that is the member `key` of a parsed object or array was written, when JavaScript writes it otherwise. */
export function numberText(container: Json, key: string): string | undefined {
  if (typeof container !== "object" || container === null) return undefined;
  return remembered.get(container)?.get(key);
}

/** Makes the member `toKey` of `to`, which is the number `key` of `container`, be written as that was. */
export function keepNumberText(container: Json, key: string, to: object, toKey: string): void {
  const text = numberText(container, key);
  if (text !== undefined) remember(to, toKey, text);
}

// Begins a text that stands for a number, while JSON's own reader and writer are at work.
const MARK = "\ue000";

// While this is not empty, objects and arrays that remember numbers give them as marked texts.
let marking = "";
let marked = 0;

/** `value` as JSON text, what `JSON.stringify` writes, but for numbers that are remembered as they were written. */
export function jsonText(value: unknown): string {
  // A text of the value may look like a marked number: then the marks get longer until none does.
  for (let mark = MARK; ; mark += MARK) {
    const text = markedText(value, mark);
    const wanted = marked;
    if (wanted === 0) return text;
    let found = 0;
    const written = text.replace(new RegExp(`"${mark}(-?\\d[^"\\\\]*)"`, "g"), (_, number: string) => {
      found++;
      return number;
    });
    if (found === wanted) return written;
  }
}

function markedText(value: unknown, mark: string): string {
  marking = mark;
  marked = 0;
  try {
    return JSON.stringify(value);
  } finally {
    marking = "";
  }
}

/** What `JSON.stringify` takes in place of an object or array that remembers numbers. */
function withMarks(this: Container): Container {
  if (marking === "") return this;
  const copy = (Array.isArray(this) ? [...this] : { ...this }) as { [key: string]: Json };
  for (const [key, text] of remembered.get(this)!) {
    // What was changed since is no longer what was read.
    if (typeof copy[key] !== "number") continue;
    copy[key] = `${marking}${text}`;
    marked++;
  }
  return copy;
}

function remember(container: object, key: string, text: string): void {
  const known = remembered.get(container);
  if (known !== undefined) known.set(key, text);
  else {
    remembered.set(container, new Map([[key, text]]));
    // No loop over the keys sees it. An own key of this name is data, and hides what would be written in place of the object.
    if (!Object.hasOwn(container, "toJSON")) Object.defineProperty(container, "toJSON", { value: withMarks });
  }
}

/** A mark that no string in a JSON text can begin with. */
function unusedMark(text: string): string {
  const runs = text.match(/(?:\ue000|\\u[eE]000)+/g) ?? [];
  return MARK.repeat(1 + Math.max(0, ...runs.map((run) => run.replaceAll(/\\u..../g, MARK).length)));
}

const TOKEN = /-?\d[\d.eE+-]*/g;
// What is no number stays as it is, for `JSON.parse` to refuse.
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A JSON text with marked strings in place of the numbers that JavaScript writes otherwise. */
function markNumbers(text: string, mark: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    // Between two strings, mostly a colon or a comma.
    if (end - at > 1) {
      const between = text.slice(at, end);
      const replaced = between.replace(TOKEN, (number) =>
        String(Number(number)) === number || !NUMBER.test(number) ? number : `"${mark}${number}"`,
      );
      if (replaced !== between) {
        pieces.push(text.slice(copied, at), replaced);
        copied = end;
      }
    }
    at = quote === -1 ? text.length : endOfString(text, quote);
  }
  return pieces.length === 0 ? text : pieces.join("") + text.slice(copied);
}

const BACKSLASH = 0x5c;

/** Where the string that begins at `quote` has ended. */
function endOfString(text: string, quote: number): number {
  for (let at = quote; ; ) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
}

/** Turns marked strings anywhere in `root` into the numbers they stand for. Without recursion: it may nest deeply. */
function unmark(root: Json, mark: string): Json {
  const holder: Json[] = [root];
  const left: { [key: string]: Json }[] = [holder as unknown as { [key: string]: Json }];
  for (let container = left.pop(); container !== undefined; container = left.pop()) {
    for (const key of Object.keys(container)) {
      const value = container[key]!;
      if (typeof value === "string") {
        if (!value.startsWith(mark)) continue;
        const text = value.slice(mark.length);
        // Defined, not assigned: `__proto__` is a key like any other.
        Object.defineProperty(container, key, {
          value: Number(text),
          writable: true,
          enumerable: true,
          configurable: true,
        });
        remember(container, key, text);
      } else if (typeof value === "object" && value !== null) left.push(value as { [key: string]: Json });
    }
  }
  return holder[0]!;
}

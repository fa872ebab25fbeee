// JSON text to values and back without losing how a number was written. A value's numbers are JavaScript's, as everybody
// expects them; where JavaScript would write one otherwise than it was written (`1.0`, `1e5`, integers above 2^53), the
// object or array that holds it remembers the text, and `jsonText` and digests of content look there. Nearly no text has
// such a number: one pass over it says so, and then it is read and written by the engine's own JSON.

import type { Json } from "./json.ts";
import { endOfString } from "./member-text.ts";

type Container = readonly Json[] | { readonly [key: string]: Json };

// Of each object or array, the members that remember how they were written.
const remembered = new WeakMap<object, Map<string, string>>();

/** Whether `JSON.parse` loses how a number in a JSON text was written. */
export function mayLoseNumbers(text: string): boolean {
  return nextLost(text, 0) !== undefined;
}

/** The value that a JSON text says; its numbers as they were written are remembered. Throws a SyntaxError. */
export function parseJson(text: string): Json {
  const first = nextLost(text, 0);
  if (first === undefined) return JSON.parse(text) as Json;
  const mark = unusedMark(text);
  const marked = markNumbers(text, first, mark);
  return marked === text ? (JSON.parse(text) as Json) : unmark(JSON.parse(marked) as Json, mark);
}

/** How the number that is the member `key` of a parsed object or array was written, when JavaScript writes it otherwise. */
export function numberText(container: Json, key: string): string | undefined {
  if (typeof container !== "object" || container === null) return undefined;
  return remembered.get(container)?.get(key);
}

/** The same for all members that are such numbers, by their keys; undefined when there is none. */
export function numberTexts(container: Json): ReadonlyMap<string, string> | undefined {
  return typeof container === "object" && container !== null ? remembered.get(container) : undefined;
}

/** Makes the member `toKey` of `to`, which is the number `key` of `container`, be written as that was. */
export function keepNumberText(container: Json, key: string, to: object, toKey: string): void {
  const text = numberText(container, key);
  if (text !== undefined) remember(to, new Map([[toKey, text]]));
}

/** The same for all numbers of a list whose items are those of `to` from `offset` on. */
export function keepItemTexts(from: readonly Json[], to: readonly unknown[], offset: number): void {
  const texts = remembered.get(from);
  if (texts === undefined) return;
  const moved = new Map<string, string>();
  for (const [key, text] of texts) moved.set(String(Number(key) + offset), text);
  remember(to, moved);
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
  return markNumbersOf(this, (Array.isArray(this) ? [...this] : { ...this }) as Members);
}

type Members = { [key: string]: Json };

function markNumbersOf(container: object, copy: Members): Container {
  for (const [key, text] of remembered.get(container)!) {
    // What was changed since is no longer what was read.
    if (typeof copy[key] !== "number") continue;
    copy[key] = `${marking}${text}`;
    marked++;
  }
  return copy;
}

/** Makes an object or array write some of its members as texts say, by their keys. The texts are its own from then on. */
function remember(container: object, texts: Map<string, string>): void {
  const known = remembered.get(container);
  if (known === undefined) {
    remembered.set(container, texts);
    giveMarker(container);
  } else for (const [key, text] of texts) known.set(key, text);
}

/** Makes `JSON.stringify` ask an object or array for its copy with marks. */
function giveMarker(container: object): void {
  if (!Object.hasOwn(container, "toJSON")) {
    // No loop over the keys sees it.
    Object.defineProperty(container, "toJSON", { value: withMarks });
    return;
  }
  // A key of this name is data, and is that to everybody but the writer.
  let data = (container as Members)["toJSON"] as Json;
  Object.defineProperty(container, "toJSON", {
    get: () => (marking === "" ? data : () => markNumbersOf(container, { ...container, toJSON: data })),
    set: (value: Json) => {
      data = value;
    },
    enumerable: true,
    configurable: true,
  });
}

/** A mark that no string in a JSON text can begin with. */
function unusedMark(text: string): string {
  const runs = text.match(/(?:\ue000|\\u[eE]000)+/g) ?? [];
  return MARK.repeat(1 + Math.max(0, ...runs.map((run) => run.replaceAll(/\\u..../g, MARK).length)));
}

// What is no number stays as it is, for `JSON.parse` to refuse; so does one that stands where a key must.
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const COLON_NEXT = /\s*:/y;

/** A JSON text with marked strings in place of the numbers that JavaScript writes otherwise, from the first one on. */
function markNumbers(text: string, first: Span, mark: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (let span: Span | undefined = first; span !== undefined; span = nextLost(text, span.end)) {
    const number = text.slice(span.start, span.end);
    COLON_NEXT.lastIndex = span.end;
    if (!NUMBER.test(number) || COLON_NEXT.test(text)) continue;
    pieces.push(text.slice(copied, span.start), `"${mark}${number}"`);
    copied = span.end;
  }
  return pieces.length === 0 ? text : pieces.join("") + text.slice(copied);
}

/** Where a number is in a text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const [QUOTE, DOT, MINUS, PLUS, ZERO, NINE] = [0x22, 0x2e, 0x2d, 0x2b, 0x30, 0x39];
const [SMALL_E, LARGE_E] = [0x65, 0x45];

/**
 * The next number, from `at` on, that JavaScript writes otherwise than it is written. Every line that is read passes
 * here, so it goes unit by unit where numbers can be, over strings at the runtime's own speed, and makes no objects.
 */
function nextLost(text: string, at: number): Span | undefined {
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit !== MINUS && (unit < ZERO || unit > NINE)) at++;
    else {
      const start = at;
      let hasDot = false;
      let hasExponent = false;
      for (at++; at < text.length; at++) {
        const next = text.charCodeAt(at);
        if (next >= ZERO && next <= NINE) continue;
        if (next === DOT) hasDot = true;
        else if (next === SMALL_E || next === LARGE_E || next === PLUS || next === MINUS) hasExponent = true;
        else break;
      }
      const size = at - start;
      const endsWithZero = text.charCodeAt(at - 1) === ZERO;
      // Fifteen digits are always written back as they are. So is nearly all that is longer, such as a probability: that
      // is tried.
      const isSuspect =
        hasExponent ||
        size > 15 ||
        (hasDot && (endsWithZero || text.startsWith(TINY, unit === MINUS ? start + 1 : start))) ||
        (unit === MINUS && endsWithZero && size === 2);
      if (isSuspect && isWrittenOtherwise(text.slice(start, at))) return { start, end: at };
    }
  }
  return undefined;
}

// Below 1e-6 JavaScript writes an exponent.
const TINY = "0.000000";

function isWrittenOtherwise(number: string): boolean {
  return String(Number(number)) !== number;
}

/** Turns marked strings anywhere in `root` into the numbers they stand for. Without recursion: it may nest deeply. */
function unmark(root: Json, mark: string): Json {
  const holder: Json[] = [root];
  const left: Members[] = [holder as unknown as Members];
  for (let container = left.pop(); container !== undefined; container = left.pop()) {
    let texts: Map<string, string> | undefined;
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
        texts ??= new Map();
        texts.set(key, text);
      } else if (typeof value === "object" && value !== null) left.push(value as Members);
    }
    if (texts !== undefined) remember(container, texts);
  }
  return holder[0]!;
}

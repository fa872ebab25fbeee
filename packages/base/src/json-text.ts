// JSON text to values and back without losing how a number was written. A value's numbers are JavaScript's, as everyone
// expects them; where JavaScript would write one otherwise than it was written (`1.0`, `1e5`, integers above 2^53), the
// object or array that holds it remembers the text, and `jsonText` and digests of content look there. Nearly no text has
// such a number: one pass over it says so, and then it is read and written by the engine's own JSON.

import type { Json } from "./json.ts";
import { endOfString } from "./member-text.ts";

type Container = readonly Json[] | { readonly [key: string]: Json };

/** How numbers of a list or object were written: a text where the number is, and nothing elsewhere. */
type Texts = { [key: string]: string };

class Same {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: a class that extends this one gives the object its private fields
    return object;
  }
}

/**
 * Of an object or array with members that remember how they were written, a list or object of the same shape. Kept in a
 * private field that the object is given: a WeakMap of as many objects takes several times as long, and each collection
 * of garbage goes through all of it.
 */
class Remembered extends Same {
  readonly #texts: Texts;

  constructor(object: object, texts: Texts) {
    super(object);
    this.#texts = texts;
  }

  static textsOf(object: object): Texts | undefined {
    return #texts in object ? (object as Remembered).#texts : undefined;
  }
}

/** How members of one object or array were written. */
export interface NumberTexts {
  /** The text of the member `key`, when JavaScript writes that number otherwise. */
  get(key: string | number): string | undefined;
}

/** Whether `JSON.parse` loses how a number in a JSON text was written. */
export function mayLoseNumbers(text: string): boolean {
  return nextLost(text, 0) !== undefined;
}

/** The value that a JSON text says; its numbers as they were written are remembered. Throws a SyntaxError. */
export function parseJson(text: string): Json {
  const first = nextLost(text, 0);
  if (first === undefined) return JSON.parse(text) as Json;
  const mark = text.includes(MARK) || text.includes(ESCAPED) ? randomMark() : MARK;
  const marked = markNumbers(text, first, mark);
  return marked === text ? (JSON.parse(text) as Json) : unmark(JSON.parse(marked) as Json, mark);
}

/**
 * `value`, which `JSON.parse` has made of a text, with its numbers as they were written in it remembered: what `parseJson`
 * gives, without another value being made of the text. The value is changed.
 */
export function withNumberTexts(value: Json, text: string): Json {
  if (typeof value !== "object" || value === null) return parseJson(text);
  return rememberFrom(value, text) ? value : parseJson(text);
}

/** How the number that is the member `key` of a parsed object or array was written, when JavaScript writes it otherwise. */
export function numberText(container: Json, key: string | number): string | undefined {
  if (typeof container !== "object" || container === null) return undefined;
  const texts = Remembered.textsOf(container);
  return texts && textIn(texts, key);
}

/** The same for all members that are such numbers; undefined when there is none. */
export function numberTexts(container: Json): NumberTexts | undefined {
  if (typeof container !== "object" || container === null) return undefined;
  const texts = Remembered.textsOf(container);
  return texts && { get: (key) => textIn(texts, key) };
}

function textIn(texts: Texts, key: string | number): string | undefined {
  if (!Object.hasOwn(texts, key)) return undefined;
  const text: unknown = texts[key];
  // The length of a list is none of its members.
  return typeof text === "string" ? text : undefined;
}

/** Makes the member `toKey` of `to`, which is the number `key` of `container`, be written as that was. */
export function keepNumberText(container: Json, key: string, to: object, toKey: string): void {
  const text = numberText(container, key);
  if (text !== undefined) setText(textsOf(to), toKey, text);
}

/** The same for all numbers of a list whose items are those of `to` from `offset` on. */
export function keepItemTexts(from: readonly Json[], to: readonly unknown[], offset: number): void {
  const texts = Remembered.textsOf(from) as unknown as readonly string[] | undefined;
  if (texts === undefined) return;
  const moved = textsOf(to) as unknown as string[];
  texts.forEach((text, i) => {
    moved[offset + i] = text;
  });
}

/** The same for the numbers of a list from the item `start` on, of which `to` is a copy. */
export function keepSliceTexts(from: readonly Json[], start: number, to: readonly unknown[]): void {
  const texts = Remembered.textsOf(from);
  if (texts === undefined) return;
  for (let i = 0; i < to.length; i++) {
    const text = textIn(texts, start + i);
    if (text !== undefined) setText(textsOf(to), String(i), text);
  }
}

/** The texts of an object or array that are remembered, for more of them to be added. */
function textsOf(container: object): Texts {
  const known = Remembered.textsOf(container);
  if (known !== undefined) return known;
  const texts = (Array.isArray(container) ? [] : {}) as Texts;
  remember(container, texts);
  return texts;
}

function setText(texts: Texts, key: string, text: string): void {
  if (key !== "__proto__") texts[key] = text;
  else
    Object.defineProperty(texts, key, { value: text, enumerable: true, configurable: true, writable: true });
}

// Begins a text that stands for a number, while JSON's own reader and writer are at work. A character that hardly any
// text has, and that texts of one byte a character can have.
const MARK = "\u007f";
const ESCAPED = "\\u007";

/**
 * A mark for texts that have the other one: short, whatever they hold, and not known in advance, so that no one can log
 * a text that looks like it.
 */
function randomMark(): string {
  return MARK + Math.trunc((1 + Math.random()) * 2 ** 52).toString(36);
}

// While this is not empty, objects and arrays that remember numbers give them as marked texts.
let marking = "";
let marked = 0;

/** `value` as JSON text, what `JSON.stringify` writes, but for numbers that are remembered as they were written. */
export function jsonText(value: unknown): string {
  for (let mark = MARK; ; mark = randomMark()) {
    const text = markedText(value, mark);
    if (marked === 0) return text;
    const written = text.replaceAll(`"${mark}`, "").replaceAll(`${mark}"`, "");
    // More is gone when a text of the value looks like a marked number.
    if (text.length - written.length === marked * 2 * (mark.length + 1)) return written;
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
  return Array.isArray(this) ? markItems(this) : markMembers(this, { ...this } as Members);
}

type Members = { [key: string]: Json };

function markItems(list: readonly Json[]): readonly Json[] {
  const copy = list.slice();
  let [last, lastMarked] = ["", ""];
  (Remembered.textsOf(list) as unknown as readonly string[]).forEach((text, i) => {
    // What was changed since is no longer what was read.
    if (typeof copy[i] !== "number") return;
    if (text !== last) [last, lastMarked] = [text, marking + text + marking];
    copy[i] = lastMarked;
    marked++;
  });
  return copy;
}

function markMembers(container: object, copy: Members): Container {
  const texts = Remembered.textsOf(container)!;
  for (const key in texts) {
    if (typeof copy[key] !== "number") continue;
    copy[key] = marking + texts[key] + marking;
    marked++;
  }
  return copy;
}

const TO_JSON = { value: withMarks };

/** Makes an object or array write some of its members as texts say. It must not remember any yet. */
function remember(container: object, texts: Texts): void {
  new Remembered(container, texts);
  if (!Object.hasOwn(container, "toJSON")) {
    // `JSON.stringify` asks it for its copy with marks; no loop over the keys sees it.
    Object.defineProperty(container, "toJSON", TO_JSON);
    return;
  }
  // A key of this name is data, and is that to everyone but the writer.
  let data = (container as Members)["toJSON"] as Json;
  Object.defineProperty(container, "toJSON", {
    get: () => (marking === "" ? data : () => markMembers(container, { ...container, toJSON: data })),
    set: (value: Json) => {
      data = value;
    },
    enumerable: true,
    configurable: true,
  });
}

// What is not a number stays as it is, for `JSON.parse` to refuse; so does one that stands where a key must.
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const COLON_NEXT = /\s*:/y;

/** A JSON text with marked strings in place of the numbers that JavaScript writes otherwise, from the first one on. */
function markNumbers(text: string, first: Span, mark: string): string {
  const pieces: string[] = [];
  let copied = 0;
  // The same number mostly comes many times in a row.
  let [last, lastMarked] = ["", ""];
  for (let span: Span | undefined = first; span !== undefined; span = nextLost(text, span.end)) {
    const number = text.slice(span.start, span.end);
    if (number !== last) {
      if (!NUMBER.test(number)) continue;
      [last, lastMarked] = [number, `"${mark}${number}"`];
    }
    COLON_NEXT.lastIndex = span.end;
    if (COLON_NEXT.test(text)) continue;
    pieces.push(text.slice(copied, span.start), lastMarked);
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
const [COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x2c, 0x5b, 0x5d, 0x7b, 0x7d];

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
      const end = endOfNumber(text, at);
      if (end < 0) return { start: at, end: -end };
      at = end;
    }
  }
  return undefined;
}

/** Where the number that begins at `start` ends; negative when JavaScript writes it otherwise. */
function endOfNumber(text: string, start: number): number {
  let hasDot = false;
  let hasExponent = false;
  let at = start + 1;
  for (; at < text.length; at++) {
    const next = text.charCodeAt(at);
    if (next >= ZERO && next <= NINE) continue;
    if (next === DOT) hasDot = true;
    else if (next === SMALL_E || next === LARGE_E || next === PLUS || next === MINUS) hasExponent = true;
    else break;
  }
  const size = at - start;
  const isNegative = text.charCodeAt(start) === MINUS;
  const endsWithZero = text.charCodeAt(at - 1) === ZERO;
  // JavaScript never ends a fraction with a zero.
  if (hasDot && endsWithZero && !hasExponent) return -at;
  // Fifteen digits are always written back as they are. So is nearly all that is longer, such as a probability: that is
  // tried.
  const isSuspect =
    hasExponent ||
    size > 15 ||
    (hasDot && text.startsWith(TINY, isNegative ? start + 1 : start)) ||
    (isNegative && endsWithZero && size === 2);
  return isSuspect && isWrittenOtherwise(text.slice(start, at)) ? -at : at;
}

/** A list or object that the text has begun. */
interface Begun {
  readonly container: Container;
  readonly outer: Begun | undefined;
  /** Of a list, the place of the item that comes next; of an object, how many members have come. */
  count: number;
  /** Where the quoted name of the member stands. */
  nameStart: number;
  nameEnd: number;
  texts: Texts | undefined;
}

/**
 * Goes through a text and the value that `JSON.parse` has made of it side by side. False when they do not fit: of members
 * with one name only the last is in the value.
 */
function rememberFrom(root: Container, text: string): boolean {
  let open: Begun | undefined;
  let isName = false;
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const end = endOfString(text, at);
      if (isName) [open!.nameStart, open!.nameEnd, isName] = [at, end, false];
      at = end;
    } else if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      const end = endOfNumber(text, at);
      if (end < 0) {
        const key = keyOf(open!, text);
        if (typeof (open!.container as Members)[key] !== "number") return false;
        open!.texts ??= (Array.isArray(open!.container) ? [] : {}) as Texts;
        setText(open!.texts, String(key), text.slice(at, -end));
      }
      at = Math.abs(end);
    } else {
      at++;
      if (unit === OPEN_LIST || unit === OPEN_OBJECT) {
        const container = open === undefined ? root : (open.container as Members)[keyOf(open, text)];
        if (typeof container !== "object" || container === null) return false;
        if (Array.isArray(container) !== (unit === OPEN_LIST)) return false;
        open = { container, outer: open, count: 0, nameStart: 0, nameEnd: 0, texts: undefined };
        isName = unit === OPEN_OBJECT;
      } else if (unit === COMMA) {
        open!.count++;
        isName = !Array.isArray(open!.container);
      } else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) {
        if (!isWhole(open!)) return false;
        if (open!.texts !== undefined) remember(open!.container, open!.texts);
        open = open!.outer;
        isName = false;
      }
    }
  }
  return true;
}

function keyOf({ container, count, nameStart, nameEnd }: Begun, text: string): string | number {
  if (Array.isArray(container)) return count;
  const quoted = text.slice(nameStart, nameEnd);
  return quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

/** Whether all members that the text has are in the value, and it remembers nothing yet. */
function isWhole({ container, count, nameEnd, texts }: Begun): boolean {
  if (texts !== undefined && Remembered.textsOf(container) !== undefined) return false;
  if (Array.isArray(container)) return container.length === 0 || container.length === count + 1;
  let members = 0;
  for (const _ in container) members++;
  return members === (nameEnd === 0 ? 0 : count + 1);
}

// Below 1e-6 JavaScript writes an exponent.
const TINY = "0.000000";

function isWrittenOtherwise(number: string): boolean {
  return String(Number(number)) !== number;
}

/** Turns marked strings anywhere in `root` into the numbers they stand for. Without recursion: it may nest deeply. */
function unmark(root: Json, mark: string): Json {
  const holder: Json[] = [root];
  const left: Container[] = [holder];
  const textOf = (value: string): string | undefined =>
    value.startsWith(mark) ? value.slice(mark.length) : undefined;
  for (let container = left.pop(); container !== undefined; container = left.pop()) {
    const texts = Array.isArray(container)
      ? unmarkItems(container, left, textOf)
      : unmarkMembers(container as Members, left, textOf);
    if (texts !== undefined) remember(container, texts);
  }
  return holder[0]!;
}

type TextOf = (value: string) => string | undefined;

function unmarkItems(list: Json[], left: Container[], textOf: TextOf): Texts | undefined {
  let texts: string[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const value = list[i]!;
    if (typeof value === "object" && value !== null) left.push(value);
    const text = typeof value === "string" ? textOf(value) : undefined;
    if (text === undefined) continue;
    list[i] = Number(text);
    texts ??= [];
    texts[i] = text;
  }
  return texts as unknown as Texts | undefined;
}

function unmarkMembers(object: Members, left: Container[], textOf: TextOf): Texts | undefined {
  let texts: Texts | undefined;
  for (const key in object) {
    const value = object[key]!;
    if (typeof value === "object" && value !== null) left.push(value);
    const text = typeof value === "string" ? textOf(value) : undefined;
    if (text === undefined) continue;
    // An object that was parsed has `__proto__` as a member of its own, which this sets like any other.
    object[key] = Number(text);
    texts ??= {};
    setText(texts, key, text);
  }
  return texts;
}

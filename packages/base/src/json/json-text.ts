// Parses and prints JSON without losing the notation of numbers. Values contain ordinary JavaScript numbers. If
// JavaScript prints a number differently from its source (`1.0`, `1e5`, integers above 2^53), the containing object or
// array remembers the source text, which `jsonText` and content digests use. Nearly no text has such numbers: one pass
// detects this, and the engine's own JSON functions then do the rest.

import type { Json } from "./json.ts";
import { setMember } from "./json-object.ts";
import { endOfString } from "./member-text.ts";

type Container = readonly Json[] | { readonly [key: string]: Json };

/** The notation of numbers in a list or object: its shape with a text for each such number, and nothing elsewhere. */
type Texts = { [key: string]: string };

class Same {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: a class that extends this one gives the object its private fields
    return object;
  }
}

/**
 * For an object or array whose members have notations, a list or object of the same shape. It is stored in a private
 * field of the object: a WeakMap with as many objects takes several times as long, and every garbage collection
 * traverses it.
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

/** The notations of members of one object or array. */
export interface NumberTexts {
  /** The text of the member `key`, if JavaScript prints that number differently. */
  get(key: string | number): string | undefined;
}

/** Whether `JSON.parse` loses the notation of a number in a JSON text. */
export function mayLoseNumbers(text: string): boolean {
  return nextLost(text, 0) !== undefined;
}

/** Parses a JSON text and preserves the notation of its numbers. Throws a SyntaxError. */
export function parseJson(text: string): Json {
  const first = nextLost(text, 0);
  if (first === undefined) return JSON.parse(text) as Json;
  const mark = text.includes(MARK) || text.includes(ESCAPED) ? randomMark() : MARK;
  const marked = markNumbers(text, first, mark);
  return marked === text ? (JSON.parse(text) as Json) : unmark(JSON.parse(marked) as Json, mark);
}

/**
 * `value`, which `JSON.parse` made of a text, with the notation of its numbers added: the result of `parseJson`
 * without a second value. Changes the value.
 */
export function withNumberTexts(value: Json, text: string): Json {
  if (typeof value !== "object" || value === null) return parseJson(text);
  return rememberFrom(value, text) ? value : parseJson(text);
}

/** The logged notation of the number `key` of a parsed object or array, if JavaScript prints it differently. */
export function numberText(container: Json, key: string | number): string | undefined {
  if (typeof container !== "object" || container === null) return undefined;
  const texts = Remembered.textsOf(container);
  return texts && textIn(texts, key);
}

/** The same for all such members; undefined if there are none. */
export function numberTexts(container: Json): NumberTexts | undefined {
  if (typeof container !== "object" || container === null) return undefined;
  const texts = Remembered.textsOf(container);
  return texts && { get: (key) => textIn(texts, key) };
}

function textIn(texts: Texts, key: string | number): string | undefined {
  if (!Object.hasOwn(texts, key)) return undefined;
  const text: unknown = texts[key];
  // The length of a list is not a member.
  return typeof text === "string" ? text : undefined;
}

/** Gives the member `toKey` of `to` the notation of the number `key` of `container`. */
export function keepNumberText(container: Json, key: string, to: object, toKey: string): void {
  const text = numberText(container, key);
  if (text !== undefined) setMember(textsOf(to), toKey, text);
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
    if (text !== undefined) setMember(textsOf(to), String(i), text);
  }
}

/** The stored notations of an object or array, for more of them to be added. */
function textsOf(container: object): Texts {
  const known = Remembered.textsOf(container);
  if (known !== undefined) return known;
  const texts = (Array.isArray(container) ? [] : {}) as Texts;
  remember(container, texts);
  return texts;
}

// Starts a text that stands for a number while JSON's own reader and writer run. The character is rare, and fits into
// one-byte strings.
const MARK = "\u007f";
const ESCAPED = "\\u007";

/**
 * A second mark, for texts that contain the first: short and unpredictable, so that no one can log a text that looks
 * like it.
 */
function randomMark(): string {
  return MARK + Math.trunc((1 + Math.random()) * 2 ** 52).toString(36);
}

// While this is not empty, objects and arrays return numbers with notations as marked texts.
let marking = "";
let marked = 0;

/** Prints `value` like `JSON.stringify`, but with numbers in their logged notation. */
export function jsonText(value: unknown): string {
  for (let mark = MARK; ; mark = randomMark()) {
    const text = markedText(value, mark);
    if (marked === 0) return text;
    const written = text.replaceAll(`"${mark}`, "").replaceAll(`${mark}"`, "");
    // A text that looks like a marked number requires the second mark.
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

/** The value that `JSON.stringify` uses instead of an object or array with notations. */
function withMarks(this: Container): Container {
  if (marking === "") return this;
  return Array.isArray(this) ? markItems(this) : markMembers(this, { ...this } as Members);
}

type Members = { [key: string]: Json };

function markItems(list: readonly Json[]): readonly Json[] {
  const copy = list.slice();
  let [last, lastMarked] = ["", ""];
  (Remembered.textsOf(list) as unknown as readonly string[]).forEach((text, i) => {
    // A number that was changed after reading has no notation any more.
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

/** Makes an object or array print some of its members as given. It must not have notations yet. */
function remember(container: object, texts: Texts): void {
  new Remembered(container, texts);
  if (!Object.hasOwn(container, "toJSON")) {
    // `JSON.stringify` calls it for a copy with marks; loops over keys do not see it.
    Object.defineProperty(container, "toJSON", TO_JSON);
    return;
  }
  // A key with this name is data for everyone but the writer.
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

// Anything that is not a number is left for `JSON.parse` to refuse, and so is a number in place of a key.
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const COLON_NEXT = /\s*:/y;

/**
 * A JSON text with marked strings in place of the numbers that JavaScript prints differently, starting at the first
 * one.
 */
function markNumbers(text: string, first: Span, mark: string): string {
  const pieces: string[] = [];
  let copied = 0;
  // The same number is often repeated.
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

/** The position of a number in a text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const [QUOTE, DOT, MINUS, PLUS, ZERO, NINE] = [0x22, 0x2e, 0x2d, 0x2b, 0x30, 0x39];
const [SMALL_E, LARGE_E] = [0x65, 0x45];
const [COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x2c, 0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The next number, from `at` on, whose notation differs from JavaScript's. Every line that is read passes here, so it
 * scans single units only where numbers can be, skips strings at native speed, and allocates nothing.
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

/** The end of the number at `start`; negative if JavaScript prints it differently. */
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
  // Fifteen digits always print unchanged. So do nearly all longer numbers, such as probabilities, which are therefore
  // tried.
  const isSuspect =
    hasExponent ||
    size > 15 ||
    (hasDot && text.startsWith(TINY, isNegative ? start + 1 : start)) ||
    (isNegative && endsWithZero && size === 2);
  return isSuspect && isWrittenOtherwise(text.slice(start, at)) ? -at : at;
}

/** An open list or object of the text. */
interface Begun {
  readonly container: Container;
  readonly outer: Begun | undefined;
  /** For a list, the index of the next item; for an object, the number of members so far. */
  count: number;
  /** Where the quoted name of the member is. */
  nameStart: number;
  nameEnd: number;
  texts: Texts | undefined;
}

/**
 * Walks a text and the value that `JSON.parse` made of it in parallel. False if they do not match: of members with
 * equal names, only the last is in the value.
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
        setMember(open!.texts, String(key), text.slice(at, -end));
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

/** Whether the value has all members of the text, and no notations yet. */
function isWhole({ container, count, nameEnd, texts }: Begun): boolean {
  if (texts !== undefined && Remembered.textsOf(container) !== undefined) return false;
  if (Array.isArray(container)) return container.length === 0 || container.length === count + 1;
  let members = 0;
  for (const _ in container) members++;
  return members === (nameEnd === 0 ? 0 : count + 1);
}

// Below 1e-6 JavaScript prints an exponent.
const TINY = "0.000000";

function isWrittenOtherwise(number: string): boolean {
  return String(Number(number)) !== number;
}

/**
 * Turns marked strings anywhere in `root` into the numbers they stand for. Without recursion, because it may nest
 * deeply.
 */
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
    // A parsed object has `__proto__` as an own member, which this sets like any other.
    object[key] = Number(text);
    texts ??= {};
    setMember(texts, key, text);
  }
  return texts;
}

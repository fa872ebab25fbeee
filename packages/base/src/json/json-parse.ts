// Parses JSON in steps of some milliseconds each, with the result of parsing in one go.

import type { Steps } from "../concurrency/steps.ts";
import type { Json } from "./json.ts";
import { setMember } from "./json-object.ts";
import { type JsonCut, type JsonPiece, JsonScan } from "./json-scan.ts";
import { keepItemTexts, keepNumberText, parseJson } from "./json-text.ts";

/** An error for text that is not JSON, with the offset of the error in bytes, if known. */
export class JsonSyntaxError extends Error {
  /** The offset; undefined if unknown. */
  readonly at: number | undefined;

  constructor(at: number | undefined, message = "a syntax error") {
    super(message);
    this.at = at;
  }
}

/** How to read texts and numbers. */
export interface ParseInPiecesOptions {
  /** Decodes UTF-8; throws if the bytes are invalid. This package has no decoder. */
  readonly decode: (bytes: Uint8Array) => string;
  /** Whether to preserve the notation of numbers, as `parseJson` does. */
  readonly logged: boolean;
}

/** The value of `bytes`, which a scan has checked and cut. Throws `JsonSyntaxError`. */
export function* parseInPieces(
  bytes: Uint8Array,
  cut: JsonCut | undefined,
  { decode, logged }: ParseInPiecesOptions,
): Steps<unknown> {
  const parse: Parse = { value: logged ? parseJson : JSON.parse, text: decode };
  if (cut === undefined) return parsed(bytes, { start: 0, end: bytes.length }, ["", ""], parse);
  blank(bytes, 0, cut.start);
  blank(bytes, cut.end, bytes.length);
  return yield* builtOf(bytes, cut, parse);
}

/** The number of bytes scanned per step: about a millisecond. */
const SCANNED = 2 ** 19;

/**
 * The value of complete, possibly long bytes, in steps. Throws `JsonSyntaxError`, also if it nests deeper than
 * `maxDepth`; its size is not limited.
 */
export function* parseSteps(
  bytes: Uint8Array,
  { maxDepth = Number.POSITIVE_INFINITY, ...options }: ParseInPiecesOptions & { readonly maxDepth?: number },
): Steps<unknown> {
  const any = Number.POSITIVE_INFINITY;
  const scan = new JsonScan({ maxDepth, maxValues: any, maxNames: any, maxText: any });
  for (let i = 0; i < bytes.length; i += SCANNED) {
    const fault = scan.push(bytes.subarray(i, i + SCANNED));
    if (fault?.kind === "syntax") throw new JsonSyntaxError(fault.at);
    if (fault?.kind === "limit") throw new JsonSyntaxError(undefined, `it ${fault.message}`);
    yield;
  }
  const fault = scan.end();
  if (fault !== undefined) throw new JsonSyntaxError(bytes.length);
  return yield* parseInPieces(bytes, scan.cut, options);
}

interface Parse {
  readonly text: (bytes: Uint8Array) => string;
  readonly value: (text: string) => unknown;
}

function* builtOf(bytes: Uint8Array, cut: JsonCut, parse: Parse): Steps<unknown> {
  const { pieces } = cut;
  if (cut.list) {
    const list: unknown[] = [];
    for (const piece of pieces) {
      if (piece.inner === undefined) {
        const items = parsed(bytes, piece, ["[", "]"], parse) as Json[];
        mustHold(items.length > 0 || pieces.length === 1, piece);
        keepItemTexts(items, list, list.length);
        for (const item of items) list.push(item);
      } else {
        blank(bytes, piece.start, piece.inner.start);
        list.push(yield* builtOf(bytes, piece.inner, parse));
        blank(bytes, piece.inner.end, piece.end);
      }
      yield;
    }
    return list;
  }
  const object: { [name: string]: unknown } = {};
  for (const piece of pieces) {
    if (piece.inner === undefined) {
      const members = parsed(bytes, piece, ["{", "}"], parse) as { [name: string]: Json };
      let some = false;
      for (const name in members) {
        setMember(object, name, members[name]);
        if (typeof members[name] === "number") keepNumberText(members, name, object, name);
        some = true;
      }
      mustHold(some || pieces.length === 1, piece);
    } else {
      const named = parsed(
        bytes,
        { start: piece.start, end: piece.inner.start },
        ["{", "[]}"],
        parse,
      ) as typeof object;
      const [name] = Object.keys(named);
      if (name === undefined) throw new JsonSyntaxError(piece.start);
      setMember(object, name, yield* builtOf(bytes, piece.inner, parse));
      blank(bytes, piece.inner.end, piece.end);
    }
    yield;
  }
  return object;
}

function mustHold(holds: boolean, { start }: JsonPiece): void {
  if (!holds) throw new JsonSyntaxError(start);
}

function parsed(
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  [before, after]: readonly [string, string],
  parse: Parse,
): unknown {
  let text: string;
  try {
    text = before + parse.text(bytes.subarray(start, end)) + after;
  } catch {
    throw new JsonSyntaxError(undefined, "it is not UTF-8");
  }
  try {
    return parse.value(text);
  } catch (error) {
    const at = errorPosition(error, text);
    if (at === undefined) throw new JsonSyntaxError(undefined);
    const until = Math.min(Math.max(at - before.length, 0), text.length - before.length - after.length);
    throw new JsonSyntaxError(start + utf8Length(text.slice(before.length, before.length + until)));
  }
}

/** Where JSON.parse stopped, if it reports that. Its own message repeats the text and is not for clients. */
function errorPosition(error: unknown, text: string): number | undefined {
  const message = error instanceof Error ? error.message : "";
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  return message.includes("end of JSON input") ? text.length : undefined;
}

/** The number of UTF-8 bytes of a text. A surrogate takes two of the four bytes of its pair. */
function utf8Length(text: string): number {
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) length += 1;
    else if (unit < 0x800 || (unit >= 0xd800 && unit < 0xe000)) length += 2;
    else length += 3;
  }
  return length;
}

function blank(bytes: Uint8Array, start: number, end: number): void {
  for (let i = start; i < end; i++)
    if (
      !(
        bytes[i] === 0x20 ||
        (bytes[i]! >= 0x09 && bytes[i]! <= 0x0d && bytes[i] !== 0x0b && bytes[i] !== 0x0c)
      )
    )
      throw new JsonSyntaxError(i);
}

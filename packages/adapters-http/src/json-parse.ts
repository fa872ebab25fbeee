// Parsing JSON in steps: what a parser makes of the whole, made of pieces that each take some milliseconds.

import { type Json, keepNumberText, parseJson, type Steps } from "@assay/base";
import type { JsonCut, JsonPiece } from "./json-scan.ts";

/** Text that is no JSON, with the byte at which that was found when it is known. */
export class JsonSyntaxError extends Error {
  readonly at: number | undefined;

  constructor(at: number | undefined, message = "a syntax error") {
    super(message);
    this.at = at;
  }
}

/**
 * The value of `bytes`, which a scan has read and cut. `logged`: numbers remember how they were written. Throws
 * `JsonSyntaxError`.
 */
export function* parseInPieces(bytes: Uint8Array, cut: JsonCut | undefined, logged: boolean): Steps<unknown> {
  const parse: Parse = logged ? parseJson : JSON.parse;
  if (cut === undefined) return parsed(bytes, { start: 0, end: bytes.length }, ["", ""], parse);
  blank(bytes, 0, cut.start);
  blank(bytes, cut.end, bytes.length);
  return yield* builtOf(bytes, cut, parse);
}

type Parse = (text: string) => unknown;

function* builtOf(bytes: Uint8Array, cut: JsonCut, parse: Parse): Steps<unknown> {
  const { pieces } = cut;
  if (cut.list) {
    const list: unknown[] = [];
    for (const piece of pieces) {
      if (piece.inner === undefined) {
        const items = parsed(bytes, piece, ["[", "]"], parse) as Json[];
        mustHold(items.length > 0 || pieces.length === 1, piece);
        for (const [i, item] of items.entries()) {
          list.push(item);
          if (typeof item === "number") keepNumberText(items, `${i}`, list, `${list.length - 1}`);
        }
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
        set(object, name, members[name]);
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
      set(object, name, yield* builtOf(bytes, piece.inner, parse));
      blank(bytes, piece.inner.end, piece.end);
    }
    yield;
  }
  return object;
}

/** A member of its own, as `JSON.parse` makes one, whatever its name. */
function set(object: { [name: string]: unknown }, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function mustHold(holds: boolean, { start }: JsonPiece): void {
  if (!holds) throw new JsonSyntaxError(start);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parsed(
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  [before, after]: readonly [string, string],
  parse: Parse,
): unknown {
  let text: string;
  try {
    text = before + decoder.decode(bytes.subarray(start, end)) + after;
  } catch {
    throw new JsonSyntaxError(undefined, "the body is not UTF-8");
  }
  try {
    return parse(text);
  } catch (error) {
    const at = errorPosition(error, text);
    if (at === undefined) throw new JsonSyntaxError(undefined);
    const until = Math.min(Math.max(at - before.length, 0), text.length - before.length - after.length);
    throw new JsonSyntaxError(start + Buffer.byteLength(text.slice(before.length, before.length + until)));
  }
}

/** Where JSON.parse stopped, when it says so. Its own words repeat the text and are not for clients. */
function errorPosition(error: unknown, text: string): number | undefined {
  const message = error instanceof Error ? error.message : "";
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  return message.includes("end of JSON input") ? text.length : undefined;
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

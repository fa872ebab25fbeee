// Writes JSON in steps: the text of `JSON.stringify`, in pieces that take a millisecond or two each. Pieces can break
// anywhere in the text. Each is made of a limited number of values, but may contain a long string.

import type { Steps } from "../concurrency/steps.ts";
import type { Json } from "./json.ts";
import { jsonText, keepNumberText, keepSliceTexts } from "./json-text.ts";

/** The number of values printed in one go. */
const WRITTEN = 2000;

/** Prints a JSON value in chunks, like `JSON.stringify`, with numbers in JavaScript's notation. */
export function jsonPieces(value: unknown): Generator<string, void, undefined> {
  return piecesOf(value, (some) => JSON.stringify(some) ?? "null");
}

/** The output of `jsonText`, in steps. */
export function* jsonTextSteps(value: unknown): Steps<string> {
  if (valuesIn(value) <= WRITTEN) return jsonText(value);
  let text = "";
  for (const piece of piecesOf(value, jsonText)) {
    text += piece;
    yield;
  }
  return text;
}

type Write = (value: unknown) => string;
type Pieces = Generator<string, void, undefined>;

function* piecesOf(value: unknown, write: Write): Pieces {
  if (valuesIn(value) <= WRITTEN) yield write(value);
  else if (Array.isArray(value)) yield* piecesOfList(value, write);
  else yield* piecesOfObject(value as { readonly [name: string]: Json }, write);
}

function* piecesOfList(list: readonly Json[], write: Write): Pieces {
  yield "[";
  yield* inRuns(list.length, {
    member: (i) => list[i],
    *few(from, to) {
      const some = list.slice(from, to);
      keepSliceTexts(list, from, some);
      yield write(some).slice(1, -1);
    },
    one: (i) => piecesOf(list[i], write),
  });
  yield "]";
}

function* piecesOfObject(object: { readonly [name: string]: Json }, write: Write): Pieces {
  const names = Object.keys(object).filter((name) => object[name] !== undefined);
  yield "{";
  yield* inRuns(names.length, {
    member: (i) => object[names[i]!],
    *few(from, to) {
      const some = names.slice(from, to);
      // Defines own members of any name.
      const members = Object.fromEntries(some.map((name) => [name, object[name]]));
      for (const name of some) keepNumberText(object, name, members, name);
      yield write(members).slice(1, -1);
    },
    *one(i) {
      yield `${JSON.stringify(names[i])}:`;
      yield* piecesOf(object[names[i]!], write);
    },
  });
  yield "}";
}

/** How to print members: consecutive small ones together, and each large one separately. */
interface Members {
  member(i: number): unknown;
  few(from: number, to: number): Pieces;
  one(i: number): Pieces;
}

function* inRuns(count: number, { member, few, one }: Members): Pieces {
  let from = 0;
  let size = 0;
  for (let i = 0; i <= count; i++) {
    const own = i < count ? valuesIn(member(i)) : WRITTEN + 1;
    if (size + own <= WRITTEN) {
      size += own;
      continue;
    }
    if (from < i) {
      if (from > 0) yield ",";
      yield* few(from, i);
      [from, size] = [i, own];
    }
    if (i === count || own <= WRITTEN) continue;
    if (i > 0) yield ",";
    yield* one(i);
    [from, size] = [i + 1, 0];
  }
}

/**
 * The number of values in a value, including itself. Stops counting at what is printed in one go, which also limits
 * the recursion.
 */
function valuesIn(value: unknown, before = 0): number {
  let seen = before + 1;
  if (typeof value !== "object" || value === null) return seen;
  if (Array.isArray(value)) {
    if (seen + value.length > WRITTEN) return seen + value.length;
    for (let i = 0; i < value.length && seen <= WRITTEN; i++) seen = valuesIn(value[i], seen);
  } else {
    for (const name in value) {
      if (seen > WRITTEN) break;
      seen = valuesIn((value as { readonly [name: string]: unknown })[name], seen);
    }
  }
  return seen;
}

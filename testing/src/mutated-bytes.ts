// Random mutations of bytes, for files, bodies and streams: truncated, modified, re-encoded, with a replaced value, or
// compressed.

import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { unzipSync, zipSync } from "fflate";

/** One mutation. `at` is the position as a fraction of the length. */
export type Change =
  | { readonly kind: "cut" | "drop" | "double"; readonly at: number }
  | { readonly kind: "change" | "insert"; readonly at: number; readonly byte: number }
  /** Replaces one value of a JSON document, or of a line, with another. */
  | { readonly kind: "value"; readonly at: number; readonly json: string }
  | { readonly kind: "key"; readonly at: number; readonly name: string }
  | { readonly kind: "encoding"; readonly as: "utf-16le" | "utf-16be" | "latin1" | "utf-8 with a mark" }
  | { readonly kind: "gzip" };

/** A position as a fraction of a length. */
export const somewhere: fc.Arbitrary<number> = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const DEEP = `${"[".repeat(300)}${"]".repeat(300)}`;

/** Random mutations. */
export const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("cut" as const, "drop", "double"), at: somewhere }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("change" as const, "insert"),
      at: somewhere,
      byte: fc.constantFrom(0, 0x0a, 0x0d, 0x22, 0x2c, 0x30, 0x39, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0x80, 0xff),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("value" as const),
      at: somewhere,
      json: fc.constantFrom(
        ...["null", "true", "0", "-1", "1e308", "12345678901234567890", "NaN", '""', '"a"', "[]", "{}"],
        ...["[[]]", "[null]", '[{"a":1}]', '{"a":{"b":[]}}', '{"__proto__":1}', '{"toJSON":1}', DEEP],
        ...['{"toString":1,"valueOf":1}', '[{"toString":1}]', '{"length":-1}', '{"then":1}'],
        ...['"\\ud800"', '"\\u0000"', `"${"x".repeat(3000)}"`, '"2026-99-99T00:00:00Z"', '"-inf"'],
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("key" as const),
      at: somewhere,
      name: fc.constantFrom("", "a", "__proto__", "constructor", "toString", "length", "a.b", "scores"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("encoding" as const),
      as: fc.constantFrom("utf-16le" as const, "utf-16be", "latin1", "utf-8 with a mark"),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "gzip" as const }) },
);

/** Applies mutations in order. In an archive, mutations of values apply to one of its entries. */
export function mutatedBytes(bytes: Uint8Array, changes: readonly Change[]): Uint8Array {
  return changes.reduce(changed, bytes);
}

/** The position at the fraction `part` of the length. */
export function placeIn({ length }: { readonly length: number }, part: number): number {
  return Math.floor(part * length);
}

function changed(bytes: Uint8Array, one: Change): Uint8Array {
  if (one.kind === "gzip") return new Uint8Array(gzipSync(bytes));
  if (one.kind === "encoding") return recoded(bytes, one.as);
  if (one.kind === "value" || one.kind === "key") return inJson(bytes, one);
  const place = placeIn(bytes, one.at);
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  if (one.kind === "cut") return before.slice();
  if (one.kind === "drop") return joined(before, after.subarray(1 + (place % 40)));
  if (one.kind === "double") return joined(before, bytes.subarray(Math.max(0, place - 200)));
  const { kind, byte } = one as Extract<Change, { kind: "change" }>;
  return joined(before, new Uint8Array([byte]), kind === "change" ? after.subarray(1) : after);
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

function recoded(bytes: Uint8Array, as: Extract<Change, { kind: "encoding" }>["as"]): Uint8Array {
  const text = new TextDecoder().decode(bytes);
  if (as === "latin1") return new Uint8Array(Buffer.from(`${text}é`, "latin1"));
  if (as === "utf-8 with a mark") return new Uint8Array(Buffer.from(`\ufeff${text}`));
  const little = Buffer.from(`\ufeff${text}`, "utf16le");
  return new Uint8Array(as === "utf-16le" ? little : little.swap16());
}

type InJson = Extract<Change, { kind: "value" | "key" }>;

function inJson(bytes: Uint8Array, one: InJson): Uint8Array {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return inArchive(bytes, one);
  const text = new TextDecoder().decode(bytes);
  const whole = inDocument(text, one);
  if (whole !== undefined) return new Uint8Array(Buffer.from(whole));
  const lines = text.split("\n");
  const line = placeIn(lines, one.at);
  lines[line] = inDocument(lines[line]!, { ...one, at: (one.at * 7919) % 1 }) ?? lines[line]!;
  return new Uint8Array(Buffer.from(lines.join("\n")));
}

function inArchive(bytes: Uint8Array, one: InJson): Uint8Array {
  let entries: { [name: string]: Uint8Array };
  try {
    entries = unzipSync(bytes);
  } catch {
    return bytes;
  }
  const names = Object.keys(entries);
  const name = names[placeIn(names, one.at)];
  if (name === undefined) return bytes;
  entries[name] = inJson(entries[name]!, { ...one, at: (one.at * 7919) % 1 });
  return zipSync(entries);
}

const PLACE = "the place of another value";

/** A document with the mutation; undefined if it is not JSON. Python's NaN counts as null. */
function inDocument(text: string, one: InJson): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/\bNaN\b/g, "null"));
  } catch {
    return undefined;
  }
  const members = [...membersOf(value)];
  if (members.length === 0) return one.kind === "value" ? one.json : text;
  const [container, key] = members[placeIn(members, one.at)]!;
  const object = container as { [key: string]: unknown };
  if (one.kind === "value") object[key] = PLACE;
  else if (!Array.isArray(container)) {
    Object.defineProperty(container, one.name, {
      value: object[key],
      enumerable: true,
      configurable: true,
      writable: true,
    });
    if (key !== one.name) delete object[key];
  }
  const written = JSON.stringify(value);
  return one.kind === "value" ? written.replace(JSON.stringify(PLACE), () => one.json) : written;
}

function* membersOf(value: unknown): Generator<readonly [object, string]> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield [value, key];
    yield* membersOf(inner);
  }
}

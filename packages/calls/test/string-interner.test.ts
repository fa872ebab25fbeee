import fc from "fast-check";
import { expect, test } from "vitest";
import { StringInterner } from "../src/memory/string-interner.ts";

test("ids get the same numbers as in a Map", () => {
  const id = fc.oneof(fc.string({ maxLength: 3 }), fc.nat({ max: 300 }).map(String));
  fc.assert(fc.property(fc.array(id, { maxLength: 400, size: "max" }), (ids) => expectNumbered(ids)));
});

test("ids chosen to collide get their own numbers too, among many others", () => {
  const chosen = idsOfOneHash(7);
  expect(chosen.length).toBe(128);
  const others = Array.from({ length: 5000 }, (_, i) => `call-${i}`);
  expectNumbered([...others.slice(0, 50), ...chosen, ...others, ...chosen]);
});

function expectNumbered(ids: readonly string[]): void {
  const numbers = new StringInterner();
  const expected = new Map<string, number>();
  for (const id of ids) {
    expect(numbers.find(id)).toBe(expected.get(id));
    if (!expected.has(id)) expected.set(id, expected.size);
    expect(numbers.intern(id)).toBe(expected.get(id));
  }
  expect(numbers.size).toBe(expected.size);
  for (const [id, number] of expected) expect(numbers.find(id)).toBe(number);
  expect(numbers.find("never named")).toBeUndefined();
}

/**
 * 2 ** `pairs` different ids with the same FNV-1a hash. From each state, two pieces of two units lead to the same next
 * state: their first units differ and give the same upper half, and their second units cancel the rest.
 */
function idsOfOneHash(pairs: number): string[] {
  let ids = [""];
  let state = 0x811c9dc5;
  const step = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);
  for (let pair = 0; pair < pairs; pair++) {
    const seen = new Map<number, number>();
    for (let unit = 0; ; unit++) {
      const hash = step(state, unit);
      const other = seen.get(hash >>> 16);
      seen.set(hash >>> 16, unit);
      if (other === undefined) continue;
      const second = (hash ^ step(state, other)) & 0xffff;
      const pieces = [String.fromCharCode(other, second), String.fromCharCode(unit, 0)];
      ids = ids.flatMap((id) => pieces.map((piece) => id + piece));
      state = step(hash, 0);
      break;
    }
  }
  return ids;
}

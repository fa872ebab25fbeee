// Three-valued truth, one byte per item. The naive form is query-lang's `allOf`, `anyOf`, `negate`.

/** One truth per item: 0 false, 1 true, 2 unknown. */
export type Truths = Uint8Array;

/** The bytes of `Truths`. */
export const FALSE = 0;
export const TRUE = 1;
export const UNKNOWN = 2;

/** Sets `into` to `into AND other`: false wins, then unknown. */
export function andInto(into: Truths, other: Truths): void {
  for (let i = 0; i < into.length; i++) {
    const a = into[i]!;
    const b = other[i]!;
    into[i] = a === FALSE || b === FALSE ? FALSE : a | b ? (a | b) & UNKNOWN || TRUE : FALSE;
  }
}

/** Sets `into` to `into OR other`: true wins, then unknown. */
export function orInto(into: Truths, other: Truths): void {
  for (let i = 0; i < into.length; i++) {
    const a = into[i]!;
    const b = other[i]!;
    into[i] = a === TRUE || b === TRUE ? TRUE : (a | b) & UNKNOWN;
  }
}

const NEGATED = Uint8Array.of(TRUE, FALSE, UNKNOWN);

/** Sets `into` to `NOT into`; unknown stays. */
export function negate(into: Truths): void {
  for (let i = 0; i < into.length; i++) into[i] = NEGATED[into[i]!]!;
}

/** `truths` at each of `indexes`. */
export function gatherTruths(truths: Truths, indexes: Int32Array, length: number): Truths {
  const gathered = new Uint8Array(length);
  for (let i = 0; i < length; i++) gathered[i] = truths[indexes[i]!]!;
  return gathered;
}

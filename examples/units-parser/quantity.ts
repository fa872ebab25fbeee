// The result of every version of the parser: an amount in a base unit.

/** An amount in one of the base units: m, kg, s, K, L, W, J, B or m/s. */
export interface Quantity {
  readonly value: number;
  readonly unit: string;
}

/** A version of the parser. `random` returns numbers in [0, 1), for versions that guess. */
export type Parse = (text: string, random: () => number) => Quantity | null;

// Version 1: a number and the exact symbol of a known unit. Anything else is an error.
import type { Parse } from "./quantity.ts";

const UNITS: ReadonlyMap<string, readonly [base: string, factor: number]> = new Map([
  ["m", ["m", 1]],
  ["km", ["m", 1000]],
  ["cm", ["m", 0.01]],
  ["mm", ["m", 0.001]],
  ["ft", ["m", 0.3048]],
  ["mi", ["m", 1609.344]],
  ["kg", ["kg", 1]],
  ["g", ["kg", 0.001]],
  ["lb", ["kg", 0.45359237]],
  ["oz", ["kg", 0.028349523125]],
  ["s", ["s", 1]],
  ["min", ["s", 60]],
  ["h", ["s", 3600]],
  ["L", ["L", 1]],
  ["mL", ["L", 0.001]],
  ["W", ["W", 1]],
  ["kW", ["W", 1000]],
  ["MW", ["W", 1_000_000]],
  ["K", ["K", 1]],
]);

/** Parses `text`, or throws. */
export const parseV1: Parse = (text) => {
  const [, digits, name] = /^(\d+(?:\.\d+)?) ?([a-zA-Z]+)/.exec(text) ?? [];
  const known = UNITS.get(name ?? "");
  if (known === undefined) throw new Error(`cannot read ${JSON.stringify(text)}`);
  return { value: Number(digits) * known[1], unit: known[0] };
};

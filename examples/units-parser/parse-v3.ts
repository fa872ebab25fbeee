// Version 3: also temperatures, rates, decimal commas, numbers in words, misspelled names, and ounces of a substance.
// Two of these break inputs that version 2 parsed: a single comma is now always a decimal comma, and names are folded
// to lower case before the lookup, so mega and milli are the same letter.
import type { Parse, Quantity } from "./quantity.ts";
import { METRIC, NAMES, PREFIXES, type Unit } from "./units.ts";

const NUMBER = String.raw`-?(?:\d+ \d+/\d+|\d+/\d+|\d{1,3}(?:,\d{3}){2,}|\d+,\d+|\d+(?:\.\d+)?(?:e[+-]?\d+)?)`;
const PART = new RegExp(String.raw`^\s*(${NUMBER})\s*(['"]|[°a-zμ]+(?:/[a-z]+)?)`);

const WORDS: readonly (readonly [pattern: RegExp, digits: string])[] = [
  [/^half an? /, "0.5 "],
  [/^a dozen /, "12 "],
  [/^an? /, "1 "],
  [/^one /, "1 "],
  [/^two /, "2 "],
  [/^three /, "3 "],
  [/^four /, "4 "],
  [/^five /, "5 "],
  [/^ten /, "10 "],
];

const LIQUIDS: ReadonlySet<string> = new Set(["water", "milk", "juice", "oil"]);

const FOLDED = folded();

/** Parses `text`, or returns null. Chooses at random between equally close names. */
export const parseV3: Parse = (text, random) => {
  let rest = text.normalize("NFKC").replaceAll("⁄", "/").toLowerCase();
  for (const [pattern, digits] of WORDS) rest = rest.replace(pattern, digits);
  const of = /\bof (\w+)$/.exec(rest)?.[1];
  let sum = null as Quantity | null;
  for (let part = PART.exec(rest); part !== null; part = PART.exec(rest)) {
    const readings = unitsNamed(part[2]!, random);
    const unit: Unit | undefined =
      sum === null ? choose(readings, of, random) : readings.find((one) => one.base === sum!.unit);
    if (unit === undefined) return sum;
    const value: number = numberIn(part[1]!) * unit.factor + unit.offset;
    sum = { value: value + (sum?.value ?? 0), unit: unit.base };
    rest = rest.slice(part[0].length);
  }
  return sum;
};

function choose(readings: readonly Unit[], of: string | undefined, random: () => number): Unit | undefined {
  if (readings.length > 1 && of !== undefined && LIQUIDS.has(of))
    return readings.find((one) => one.base === "L");
  return readings[Math.floor(random() * readings.length)];
}

function numberIn(digits: string): number {
  const mixed = /^(?:(\d+) )?(\d+)\/(\d+)$/.exec(digits);
  if (mixed !== null) return Number(mixed[1] ?? 0) + Number(mixed[2]) / Number(mixed[3]);
  const commas = digits.split(",").length - 1;
  return Number(commas === 1 ? digits.replace(",", ".") : digits.replaceAll(",", ""));
}

function unitsNamed(name: string, random: () => number): readonly Unit[] {
  const exact = FOLDED.get(name) ?? FOLDED.get(name.replace(/(?<=\w{2})s$/, ""));
  if (exact !== undefined) return exact;
  // Short symbols have too many neighbours for a useful guess.
  if (name.length < 4) return [];
  const near = [...FOLDED.keys()].filter((known) => known.length >= 4 && distance(known, name) <= 2);
  const nearest = Math.min(...near.map((known) => distance(known, name)));
  const best = near.filter((known) => distance(known, name) === nearest);
  return FOLDED.get(best[Math.floor(random() * best.length)] ?? "") ?? [];
}

/** The Levenshtein distance: the number of insertions, deletions and replacements from `a` to `b`. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, above[j]! + 1, row[j - 1]! + 1));
    }
    above = row;
  }
  return above[b.length]!;
}

function folded(): ReadonlyMap<string, readonly Unit[]> {
  const names = new Map<string, readonly Unit[]>();
  const add = (name: string, units: readonly Unit[]) => {
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), units);
  };
  for (const [name, units] of NAMES) add(name, units);
  for (const [symbol, unit] of METRIC) add(symbol, [unit]);
  for (const [prefix, factor] of PREFIXES) {
    for (const [symbol, unit] of METRIC) add(prefix + symbol, [{ ...unit, factor: factor * unit.factor }]);
  }
  add("°C", [{ base: "K", factor: 1, offset: 273.15 }]);
  add("°F", [{ base: "K", factor: 5 / 9, offset: 459.67 * (5 / 9) }]);
  add("mph", [{ base: "m/s", factor: 0.44704, offset: 0 }]);
  add("km/h", [{ base: "m/s", factor: 1 / 3.6, offset: 0 }]);
  add("m/s", [{ base: "m/s", factor: 1, offset: 0 }]);
  add("'", NAMES.get("foot")!);
  add('"', NAMES.get("inch")!);
  return names;
}

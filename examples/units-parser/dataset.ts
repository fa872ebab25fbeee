// The inputs: 240 ways to write a quantity, twenty of each kind, with their meanings.
import type { Quantity } from "./quantity.ts";
import { seededRandom } from "./random.ts";

/** One input and the expected answer. */
export interface Example {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly expected: Quantity;
}

type Written = readonly [text: string, value: number, unit: string];
type Dice = (low: number, high: number) => number;
type Way = (dice: Dice) => Written;

const grouped = (n: number) => n.toLocaleString("en-US");
const comma = (n: number) => String(n).replace(".", ",");
const tenths = (dice: Dice, low: number, high: number) => dice(low * 10, high * 10) / 10;

const KINDS: Readonly<Record<string, readonly Way[]>> = {
  plain: [
    (dice) => scaled(dice(2, 900), "km", 1000, "m"),
    (dice) => scaled(tenths(dice, 1, 90), "kg", 1, "kg"),
    (dice) => scaled(dice(2, 300), "min", 60, "s"),
    (dice) => scaled(tenths(dice, 1, 20), "L", 1, "L"),
    (dice) => scaled(dice(3, 400), "lb", 0.45359237, "kg"),
  ],
  prefixed: [
    (dice) => scaled(dice(10, 900), "µm", 1e-6, "m"),
    (dice) => scaled(dice(2, 60), "MW", 1e6, "W"),
    (dice) => scaled(dice(2, 500), "GB", 1e9, "B"),
    (dice) => scaled(dice(2, 90), "MJ", 1e6, "J"),
    (dice) => scaled(dice(100, 900), "mL", 1e-3, "L"),
    (dice) => scaled(dice(2, 800), "kW", 1e3, "W"),
  ],
  thousands: [
    (dice) => grouping(dice(1001, 9999), "m", 1, "m"),
    (dice) => grouping(dice(10_001, 99_999), "kg", 1, "kg"),
    (dice) => grouping(dice(1_000_001, 9_999_999), "B", 1, "B"),
    (dice) => grouping(dice(1001, 9999), "ft", 0.3048, "m"),
  ],
  "decimal comma": [
    (dice) => decimal(tenths(dice, 1, 90) + 0.05, "kg", 1, "kg"),
    (dice) => decimal(dice(11, 99) / 10, "km", 1000, "m"),
    (dice) => decimal(dice(1, 9) / 100, "L", 1, "L"),
    (dice) => decimal(dice(11, 99) / 10, "h", 3600, "s"),
  ],
  fraction: [
    (dice) => [`${dice(1, 9)}/16 in`, 0, "m"],
    (dice) => [`${dice(1, 9)} 1/2 mi`, 0, "m"],
    (dice) => [`${dice(1, 9)} 3/4 L`, 0, "L"],
    (dice) => [`${dice(2, 40)}½ kg`, 0, "kg"],
  ],
  compound: [
    (dice) => sum([dice(1, 11), "h", 3600], [dice(1, 59), "min", 60], "s"),
    (dice) => sum([dice(4, 6), "'", 0.3048], [dice(0, 11), '"', 0.0254], "m"),
    (dice) => sum([dice(1, 30), "lb", 0.45359237], [dice(1, 15), "oz", 0.028349523125], "kg"),
    (dice) => sum([dice(1, 9), "ft", 0.3048], [dice(1, 11), "in", 0.0254], "m"),
  ],
  temperature: [
    (dice) => shifted(dice(1, 110), "°F", (f) => (f + 459.67) * (5 / 9)),
    (dice) => shifted(dice(-40, 60), "°C", (c) => c + 273.15),
    (dice) => shifted(dice(3, 900), "K", (k) => k),
  ],
  rate: [
    (dice) => scaled(dice(5, 120), "mph", 0.44704, "m/s"),
    (dice) => scaled(dice(5, 300), "km/h", 1 / 3.6, "m/s"),
    (dice) => scaled(tenths(dice, 1, 40), "m/s", 1, "m/s"),
  ],
  "whole name": [
    (dice) => scaled(dice(2, 99), "kilometres", 1000, "m"),
    (dice) => scaled(dice(2, 99), "Feet", 0.3048, "m"),
    (dice) => scaled(dice(2, 99), "POUNDS", 0.45359237, "kg"),
    (dice) => scaled(dice(2, 99), "hours", 3600, "s"),
    (dice) => scaled(dice(2, 99), "Days", 86_400, "s"),
  ],
  "in words": [
    (dice) => worded(dice, "metres", 1, "m"),
    (dice) => worded(dice, "litres", 1, "L"),
    (dice) => worded(dice, "miles", 1609.344, "m"),
    (dice) => worded(dice, "hours", 3600, "s"),
  ],
  misspelled: [
    (dice) => scaled(dice(2, 99), "kilometrs", 1000, "m"),
    (dice) => scaled(dice(2, 99), "gramms", 1e-3, "kg"),
    (dice) => scaled(dice(2, 99), "secnds", 1, "s"),
    (dice) => scaled(dice(2, 99), "mitre", 1, "m"),
    (dice) => scaled(dice(2, 99), "minuets", 60, "s"),
  ],
  "depends on context": [
    (dice) => scaled(dice(2, 64), "oz of flour", 0.028349523125, "kg"),
    (dice) => scaled(dice(2, 64), "oz of milk", 0.0295735295625, "L"),
    (dice) => scaled(dice(2, 64), "oz of gold", 0.028349523125, "kg"),
    (dice) => scaled(dice(2, 64), "oz of cider", 0.0295735295625, "L"),
  ],
};

/** The examples: always the same, without duplicate texts. */
export function examples(): readonly Example[] {
  const random = seededRandom(7);
  const dice: Dice = (low, high) => low + Math.floor(random() * (high - low + 1));
  const found = new Map<string, Example>();
  for (const [kind, ways] of Object.entries(KINDS)) {
    const wanted = found.size + 20;
    for (let n = 0; found.size < wanted; n++) {
      const [text, value, unit] = ways[n % ways.length]!(dice);
      if (found.has(text)) continue;
      const id = `u${String(found.size + 1).padStart(3, "0")}`;
      const expected = { value: kind === "fraction" ? fraction(text) : value, unit };
      found.set(text, { id, kind, text, expected });
    }
  }
  return [...found.values()];
}

function scaled(n: number, name: string, factor: number, unit: string): Written {
  return [`${n} ${name}`, n * factor, unit];
}

function grouping(n: number, name: string, factor: number, unit: string): Written {
  return [`${grouped(n)} ${name}`, n * factor, unit];
}

function decimal(n: number, name: string, factor: number, unit: string): Written {
  const rounded = Number(n.toFixed(2));
  return [`${comma(rounded)} ${name}`, rounded * factor, unit];
}

type Part = readonly [n: number, name: string, factor: number];

function sum(first: Part, second: Part, unit: string): Written {
  const glue = first[1] === "'" ? "" : " ";
  const text = [`${first[0]}${glue}${first[1]}`, `${second[0]}${glue}${second[1]}`].join(glue);
  return [text, first[0] * first[2] + second[0] * second[2], unit];
}

function shifted(n: number, name: string, kelvin: (n: number) => number): Written {
  return [`${n} ${name}`, kelvin(n), "K"];
}

const AMOUNTS: readonly (readonly [words: string, n: number])[] = [
  ["half a", 0.5],
  ["one", 1],
  ["two", 2],
  ["three", 3],
  ["four", 4],
  ["five", 5],
  ["ten", 10],
  ["a dozen", 12],
  ["twenty-one", 21],
];

function worded(dice: Dice, name: string, factor: number, unit: string): Written {
  const [words, n] = AMOUNTS[dice(0, AMOUNTS.length - 1)]!;
  return [`${words} ${n > 1 ? name : name.slice(0, -1)}`, n * factor, unit];
}

const FACTORS: Readonly<Record<string, number>> = { in: 0.0254, mi: 1609.344, L: 1, kg: 1 };

function fraction(text: string): number {
  const [amount, name] = [text.slice(0, text.lastIndexOf(" ")), text.slice(text.lastIndexOf(" ") + 1)];
  if (amount.endsWith("½")) return (Number(amount.slice(0, -1)) + 0.5) * FACTORS[name]!;
  const [over, under] = amount.slice(amount.indexOf(" ") + 1).split("/");
  const whole = amount.includes(" ") ? Number(amount.slice(0, amount.indexOf(" "))) : 0;
  return (whole + Number(over) / Number(under)) * FACTORS[name]!;
}

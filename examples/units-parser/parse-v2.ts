// Version 2: metric prefixes, thousands separators, fractions, unit names in any case and number, and sums of parts.
import type { Parse, Quantity } from "./quantity.ts";
import { METRIC, NAMES, PREFIXES, type Unit } from "./units.ts";

const PART = /^\s*(\d+ \d+\/\d+|\d+\/\d+|\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(['"]|[A-Za-zμ]+)/;

/** Parses `text`, or returns null. Chooses at random between the two meanings of an ambiguous name. */
export const parseV2: Parse = (text, random) => {
  // NFKC turns ¾ into 3⁄4, and the micro sign into the Greek letter.
  let rest = text.normalize("NFKC").replaceAll("⁄", "/");
  let sum = null as Quantity | null;
  for (let part = PART.exec(rest); part !== null; part = PART.exec(rest)) {
    const readings = unitsNamed(part[2]!);
    const unit = readings[Math.floor(random() * readings.length)];
    // The first part of a sum decides the meaning of the second: 2 lb 3 oz is a weight.
    const fits: Unit | undefined =
      sum === null ? unit : readings.find((reading) => reading.base === sum!.unit);
    if (fits === undefined) return sum;
    const value: number = numberIn(part[1]!) * fits.factor + fits.offset;
    sum = { value: value + (sum?.value ?? 0), unit: fits.base };
    rest = rest.slice(part[0].length);
  }
  return sum;
};

function numberIn(digits: string): number {
  const mixed = /^(?:(\d+) )?(\d+)\/(\d+)$/.exec(digits);
  if (mixed === null) return Number(digits.replaceAll(",", ""));
  return Number(mixed[1] ?? 0) + Number(mixed[2]) / Number(mixed[3]);
}

function unitsNamed(name: string): readonly Unit[] {
  if (name === "'") return NAMES.get("foot")!;
  if (name === '"') return NAMES.get("inch")!;
  const whole = METRIC.get(name);
  if (whole !== undefined) return [whole];
  const singular = name.toLowerCase().replace(/(?<=\w{2})s$/, "");
  const named = NAMES.get(name) ?? NAMES.get(singular);
  if (named !== undefined) return named;
  const factor = PREFIXES.get(name.slice(0, 1));
  const rest = METRIC.get(name.slice(1));
  return factor === undefined || rest === undefined ? [] : [{ ...rest, factor: factor * rest.factor }];
}

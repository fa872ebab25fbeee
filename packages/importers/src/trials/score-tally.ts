// Counts the values of one score in one evaluation, in each way in which they may be read.

import { printFieldPath } from "@assay/query-lang/internal";
import { addExactly, meanOf, newTotal, type Total } from "@assay/statistics/exact";
import { type PassRule, passName, ruleApplies } from "../scores/pass-rule.ts";
import type { ScoreMeanings, ScoreReading } from "../scores/score-values.ts";
import type { PlannedEvaluation, PlannedScore } from "./planned-evaluation.ts";

/** A rule for passing applies to a number, which a text can express in two ways, or to a text. */
type PassMeaning = "number" | "comma" | "text";

interface PassCount {
  known: number;
  passed: number;
}

/** The values of a score. */
export class ScoreTally {
  /** The keys to it in the scores of a trial. */
  readonly keys: readonly string[];
  private readonly path: string;
  /** The number of values that are present. */
  private values = 0;
  /** Totals of values by their type in the file. */
  private readonly own = { boolean: newTotal(), number: newTotal(), string: newTotal() };
  /** Totals of values when read as each type. */
  private readonly read = { boolean: newTotal(), number: newTotal(), comma: newTotal() };
  private readonly passes = new Map<PassRule, Readonly<Record<PassMeaning, PassCount>>>();

  constructor(path: string, keys: readonly string[]) {
    [this.path, this.keys] = [path, keys];
  }

  /** Adds a value that occurs a number of times. */
  add(value: unknown, meanings: ScoreMeanings, rules: readonly PassRule[], times: number): void {
    this.values += times;
    addTimes(this.own[typeof value as "boolean" | "number" | "string"], Number(value) || 0, times);
    const { boolean, number, comma } = meanings;
    if (boolean !== undefined) addTimes(this.read.boolean, Number(boolean), times);
    if (number !== undefined) addTimes(this.read.number, number, times);
    if (comma !== undefined) addTimes(this.read.comma, comma, times);
    for (const rule of rules)
      if (ruleApplies(rule, this.path, this.keys)) this.addPasses(rule, meanings, times);
  }

  private addPasses(rule: PassRule, meanings: ScoreMeanings, times: number): void {
    const none = () => ({ known: 0, passed: 0 });
    const counts = this.passes.get(rule) ?? { number: none(), comma: none(), text: none() };
    this.passes.set(rule, counts);
    for (const of of ["number", "comma", "text"] as const) {
      const passed = meanings[of] === undefined ? undefined : rule.passes(meanings[of]);
      if (passed === undefined) continue;
      counts[of].known += times;
      if (passed) counts[of].passed += times;
    }
  }

  /** The score in this reading, and whether it passes by each rule, which becomes a score too. */
  planned(reading: ScoreReading, direction: PlannedScore["direction"]): readonly PlannedScore[] {
    const [type, sum] = this.typeIn(reading);
    const rules = [...this.passes].map(([rule, counts]) => ({ rule, ...counts[passMeaning(type, reading)] }));
    const mean = type === "text" || type === "mixed" ? undefined : meanOf(sum);
    const stated = rules.map(({ rule }) => rule.text).join("; ");
    const passes = stated !== "" ? stated : type === "boolean" ? "true" : undefined;
    return [
      { path: this.path, type, trials: sum.count, mean, passes, direction },
      ...rules
        .filter(({ known }) => known > 0)
        .map(
          ({ rule, known, passed }): PlannedScore => ({
            path: printFieldPath([passName(rule)]),
            type: "boolean",
            trials: known,
            mean: passed / known,
            passes: "true",
            direction: undefined,
          }),
        ),
    ];
  }

  /** Values that do not fit the type that the user chose for the score. */
  leftOut(reading: ScoreReading): PlannedEvaluation["leftOut"] {
    if (reading === "as it is" || reading === "texts") return [];
    const [type, { count }] = this.typeIn(reading);
    const what = `value that is not ${type === "boolean" ? "true or false" : "a number"} (${this.path})`;
    return count === this.values ? [] : [{ what, count: this.values - count }];
  }

  private typeIn(reading: ScoreReading): readonly [PlannedScore["type"], Total] {
    const { values, own, read } = this;
    if (reading === "booleans") return ["boolean", read.boolean];
    if (reading === "numbers") return ["number", read.number];
    if (reading === "numbers with a comma") return ["number", read.comma];
    if (reading === "texts") return ["text", { ...newTotal(), count: values }];
    const present = [own.boolean, own.number, own.string].filter(({ count }) => count > 0);
    if (present.length > 1) return ["mixed", present.reduce((a, b) => (a.count >= b.count ? a : b))];
    if (own.boolean.count > 0) return ["boolean", own.boolean];
    return own.number.count > 0 ? ["number", own.number] : ["text", own.string];
  }
}

function passMeaning(type: PlannedScore["type"], reading: ScoreReading): PassMeaning {
  if (reading === "numbers with a comma") return "comma";
  return type === "text" ? "text" : "number";
}

/** Adds a number a given number of times. */
function addTimes(total: Total, value: number, times: number): void {
  for (let i = 0; i < times; i++) addExactly(total, value);
}

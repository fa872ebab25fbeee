// Prices: what tokens cost, in whole numbers of a small unit, so that sums are exact however many records they are of.

import { bad, type Issue, isJsonObject, ok, type Result } from "@assay/base";
import type { UsageRow } from "./usage.ts";

/** US dollars for one million tokens are so many of the unit for one token: it is a millionth of a millionth of a dollar. */
const DIGITS = 6;
/** Digits behind the point of a dollar in the unit. */
const UNIT_DIGITS = 12;

/** What a token of one model costs, in millionths of a millionth of a US dollar. */
export interface Price {
  /** Of a request. */
  readonly input: bigint;
  /** Of an answer. */
  readonly output: bigint;
  /** Of a request, where the engine had it from an earlier one. */
  readonly cachedInput: bigint;
}

/** Prices by the name that usage has for a model. */
export type Prices = ReadonlyMap<string, Price>;

const FIELDS = ["input", "output", "cached_input"];

/**
 * Reads `{ "org/model": { input: 0.15, output: 0.6, cached_input: 0.075 } }`: US dollars for a million tokens, numbers or
 * texts of at most six decimal places. Without `cached_input`, cached tokens cost what others do; without `output`,
 * answers cost nothing, as embeddings have none. Issue codes: `invalid`, `missing` and `unknown`.
 */
export function readPrices(raw: unknown): Result<Prices> {
  if (!isJsonObject(raw)) return bad([{ code: "invalid", path: [], message: "must be an object of models" }]);
  const issues: Issue[] = [];
  const prices = new Map<string, Price>();
  for (const [model, said] of Object.entries(raw)) {
    if (!isJsonObject(said)) {
      issues.push({ code: "invalid", path: [model], message: "must be an object with input and output" });
      continue;
    }
    for (const name of Object.keys(said))
      if (!FIELDS.includes(name))
        issues.push({
          code: "unknown",
          path: [model, name],
          message: `is not known; known are ${FIELDS.join(", ")}`,
        });
    const amount = (name: string): bigint | undefined => {
      const value = said[name];
      if (value === undefined) return undefined;
      const read = readAmount(value);
      if (read === undefined) {
        const message = "must be US dollars for a million tokens, with at most six decimal places";
        issues.push({ code: "invalid", path: [model, name], message });
      }
      return read;
    };
    const input = amount("input");
    if (said["input"] === undefined)
      issues.push({
        code: "missing",
        path: [model, "input"],
        message: "is needed: US dollars for a million tokens",
      });
    prices.set(model, {
      input: input ?? 0n,
      output: amount("output") ?? 0n,
      cachedInput: amount("cached_input") ?? input ?? 0n,
    });
  }
  return issues.length > 0 ? bad(issues) : ok(prices);
}

/** A decimal as a whole number of its millionths. */
function readAmount(value: unknown): bigint | undefined {
  const text = typeof value === "number" ? plainDecimal(value) : value;
  const [, whole, fraction = ""] =
    (typeof text === "string" && /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text)) || [];
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(DIGITS, "0"));
}

/** A number as a decimal without an exponent, as far as six places go; small ones are written with an exponent. */
function plainDecimal(value: number): string {
  const text = String(value);
  return /e/.test(text) && Number(value.toFixed(DIGITS)) === value ? value.toFixed(DIGITS) : text;
}

/** What the tokens of `row` cost, exactly, in the unit of `Price`. Each token that was generated costs, also undelivered ones. */
export function costOf(
  { input, output, cachedInput }: Price,
  {
    promptTokens,
    cachedTokens,
    generatedTokens,
  }: Pick<UsageRow, "promptTokens" | "cachedTokens" | "generatedTokens">,
): bigint {
  return (
    input * BigInt(promptTokens - cachedTokens) +
    cachedInput * BigInt(cachedTokens) +
    output * BigInt(generatedTokens)
  );
}

/** An amount in the unit of `Price` as a decimal of US dollars, without zeros at its end: `"0.000012"`. */
export function printDollars(amount: bigint): string {
  const digits = amount.toString().padStart(UNIT_DIGITS + 1, "0");
  const fraction = digits.slice(-UNIT_DIGITS).replace(/0+$/, "");
  return digits.slice(0, -UNIT_DIGITS) + (fraction === "" ? "" : `.${fraction}`);
}

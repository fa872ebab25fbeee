// Prices: what tokens cost, in whole numbers of a small unit, so that sums are exact however many records they are of.

import { bad, type Issue, type Json, ok, type Result } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { UsageRow } from "./usage.ts";

/** US dollars for one million tokens are this many of the unit for one token: it is a millionth of a millionth of a dollar. */
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
  /** Of a request, where the engine keeps it for later ones. Absent: as `input`. */
  readonly cacheWrite?: bigint;
}

/** Prices by the name that usage has for a model. */
export type Prices = ReadonlyMap<string, Price>;

const FIELDS = ["input", "output", "cached_input"];
/** The most issues that are reported. */
const MOST_ISSUES = 100;

/**
 * Reads `{ "org/model": { input: 0.15, output: 0.6, cached_input: 0.075 } }`: US dollars for a million tokens, numbers or
 * texts of at most six decimal places. Without `cached_input`, cached tokens cost what others do; without `output`,
 * answers cost nothing, as embeddings have none. Issue codes: `invalid`, `missing` and `unknown`; of more than a hundred
 * issues, the first.
 */
export function readPrices(raw: unknown): Result<Prices> {
  if (!isJsonObject(raw)) return bad([{ code: "invalid", path: [], message: "must be an object of models" }]);
  const issues: Issue[] = [];
  const note = (issue: Issue): void => {
    if (issues.length < MOST_ISSUES) issues.push(issue);
  };
  const prices = new Map<string, Price>();
  for (const [model, said] of Object.entries(raw)) {
    if (!isJsonObject(said)) {
      note({ code: "invalid", path: [model], message: "must be an object with input and output" });
      continue;
    }
    for (const name of Object.keys(said))
      if (!FIELDS.includes(name))
        note({
          code: "unknown",
          path: [model, name],
          message: `is not a known field; the fields are ${FIELDS.join(", ")}`,
        });
    const amount = (name: string): bigint | undefined => {
      const value = said[name];
      if (value === undefined) return undefined;
      const read = readAmount(value);
      if (read === undefined) {
        const message = "must be US dollars for a million tokens, with at most six decimal places";
        note({ code: "invalid", path: [model, name], message });
      }
      return read;
    };
    const input = amount("input");
    if (said["input"] === undefined)
      note({
        code: "missing",
        path: [model, "input"],
        message: "is required: US dollars for a million tokens",
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

/** Tokens that are priced. */
type PricedTokens = Pick<UsageRow, "promptTokens" | "cachedTokens" | "generatedTokens"> & {
  /** Those of the request that the engine keeps for later ones. Default 0. */
  readonly writtenTokens?: number;
};

/** Tokens of one kind, and what they cost. */
interface PricedPart {
  readonly tokens: number;
  readonly cost: bigint;
}

/** What tokens cost, exactly, in the unit of `Price`, by kind: no token is in two. */
interface PricedParts {
  /** Of the request, but for the two kinds below. */
  readonly prompt: PricedPart;
  /** Of the request, that the engine had. */
  readonly cached: PricedPart;
  /** Of the request, that the engine keeps. */
  readonly written: PricedPart;
  /** Of the answer. Each token that was generated costs, also undelivered ones. */
  readonly answer: PricedPart;
}

function partsOf(
  price: Price,
  { promptTokens, cachedTokens, generatedTokens, writtenTokens = 0 }: PricedTokens,
): PricedParts {
  const part = (tokens: number, each: bigint): PricedPart => ({ tokens, cost: each * BigInt(tokens) });
  return {
    prompt: part(promptTokens - cachedTokens - writtenTokens, price.input),
    cached: part(cachedTokens, price.cachedInput),
    written: part(writtenTokens, price.cacheWrite ?? price.input),
    answer: part(generatedTokens, price.output),
  };
}

/** What tokens cost, exactly, in the unit of `Price`. */
export function costOf(price: Price, tokens: PricedTokens): bigint {
  const { prompt, cached, written, answer } = partsOf(price, tokens);
  return prompt.cost + cached.cost + written.cost + answer.cost;
}

/** The same by kind, of what a model's `usage` says; undefined when it does not say enough. */
export function pricedParts(price: Price, said: Json): PricedParts | undefined {
  const tokens = isJsonObject(said) ? tokensOf(said) : undefined;
  return tokens && partsOf(price, tokens);
}

/** A cost of one token in US dollars in the unit of `Price`: to the nearest. */
export function perToken(dollars: number): bigint {
  const [whole = "0", fraction = ""] = dollars.toFixed(UNIT_DIGITS).split(".");
  return BigInt(whole + fraction);
}

/** An amount in the unit of `Price` as US dollars: the nearest number. */
export function inDollars(amount: bigint): number {
  return Number(printDollars(amount));
}

/**
 * What the tokens in the `usage` of a call cost, by model as clients log it, in the unit of `Price`: `prompt_tokens` and
 * `completion_tokens`, or `input_tokens` and `output_tokens`; one of the two is what the other leaves of `total_tokens`.
 * Undefined when no model reports tokens, and when one that does has no price or does not say how many tokens are of
 * the answer: the cost of a part would pass for that of the whole.
 */
export function costOfUsage(prices: Pick<Prices, "get">, usage: Json): bigint | undefined {
  if (!isJsonObject(usage)) return undefined;
  let sum: bigint | undefined;
  for (const [model, said] of Object.entries(usage)) {
    if (!isJsonObject(said) || countOf(said, ...PROMPT, ...ANSWER, "total_tokens") === undefined) continue;
    const [price, tokens] = [prices.get(model), tokensOf(said)];
    if (price === undefined || tokens === undefined) return undefined;
    sum = (sum ?? 0n) + costOf(price, tokens);
  }
  return sum;
}

const PROMPT = ["prompt_tokens", "input_tokens"];
const ANSWER = ["completion_tokens", "output_tokens"];

function tokensOf(said: { readonly [name: string]: Json }): PricedTokens | undefined {
  const total = countOf(said, "total_tokens");
  const prompt = countOf(said, ...PROMPT);
  const answer = countOf(said, ...ANSWER);
  const promptTokens = prompt ?? restOf(total, answer);
  const generatedTokens = answer ?? restOf(total, prompt);
  if (promptTokens === undefined || generatedTokens === undefined) return undefined;
  // Anthropic counts what was read from a cache and written to one beside the input, everyone else within it.
  const read = said["prompt_tokens"] === undefined ? countOf(said, "cache_read_input_tokens") : undefined;
  if (read !== undefined) {
    const writtenTokens = countOf(said, "cache_creation_input_tokens") ?? 0;
    const all = promptTokens + read + writtenTokens;
    return { promptTokens: all, generatedTokens, cachedTokens: read, writtenTokens };
  }
  const details = said["prompt_tokens_details"] ?? said["input_tokens_details"];
  const cached = isJsonObject(details) ? countOf(details, "cached_tokens") : undefined;
  return { promptTokens, generatedTokens, cachedTokens: Math.min(cached ?? 0, promptTokens) };
}

function restOf(total: number | undefined, part: number | undefined): number | undefined {
  return total === undefined || part === undefined || part > total ? undefined : total - part;
}

/** The first of these that is a count, as a whole number. */
function countOf(said: { readonly [name: string]: Json }, ...names: readonly string[]): number | undefined {
  const counts = names.map((name) => said[name]);
  const count = counts.find(
    (value) => typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER,
  );
  return count === undefined ? undefined : Math.trunc(count as number);
}

/** An amount in the unit of `Price` as a decimal of US dollars, without zeros at its end: `"0.000012"`. */
export function printDollars(amount: bigint): string {
  const digits = amount.toString().padStart(UNIT_DIGITS + 1, "0");
  const fraction = digits.slice(-UNIT_DIGITS).replace(/0+$/, "");
  return digits.slice(0, -UNIT_DIGITS) + (fraction === "" ? "" : `.${fraction}`);
}

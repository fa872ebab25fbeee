// Prices of tokens, in whole numbers of a small unit, so that sums over any number of records are exact.

import { bad, type Issue, type Json, ok, type Result } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { UsageRow } from "./usage.ts";

/** The factor from US dollars per million tokens to the unit per token, which is 10⁻¹² dollars. */
const DIGITS = 6;
/** The decimal places of a dollar in the unit. */
const UNIT_DIGITS = 12;

/** The token prices of one model, in units of 10⁻¹² US dollars. */
export interface Price {
  /** The price of a request token. */
  readonly input: bigint;
  /** The price of an answer token. */
  readonly output: bigint;
  /** The price of a request token that the engine had cached. */
  readonly cachedInput: bigint;
  /** The price of a request token that the engine adds to its cache. Absent: as `input`. */
  readonly cacheWrite?: bigint;
}

/** Prices by the model's name in usage records. */
export type Prices = ReadonlyMap<string, Price>;

const FIELDS = ["input", "output", "cached_input"];
/** The most issues to report. */
const MOST_ISSUES = 100;

/**
 * Reads `{ "org/model": { input: 0.15, output: 0.6, cached_input: 0.075 } }`: US dollars per million tokens, as
 * numbers or texts with at most six decimal places. Without `cached_input`, cached tokens cost as much as others;
 * without `output`, answers cost nothing, since embeddings have none. Issue codes: `invalid`, `missing` and `unknown`;
 * at most a hundred issues.
 */
export function readPrices(raw: unknown): Result<Prices> {
  if (!isJsonObject(raw)) return bad([{ code: "invalid", path: [], message: "must be an object of models" }]);
  const issues: Issue[] = [];
  const note = (issue: Issue): void => {
    if (issues.length < MOST_ISSUES) issues.push(issue);
  };
  const prices = new Map<string, Price>();
  for (const [model, entry] of Object.entries(raw)) {
    if (!isJsonObject(entry)) {
      note({ code: "invalid", path: [model], message: "must be an object with input and output" });
      continue;
    }
    for (const name of Object.keys(entry))
      if (!FIELDS.includes(name))
        note({
          code: "unknown",
          path: [model, name],
          message: `unknown field; the fields are ${FIELDS.join(", ")}`,
        });
    const amount = (name: string): bigint | undefined => {
      const value = entry[name];
      if (value === undefined) return undefined;
      const read = readAmount(value);
      if (read === undefined) {
        const message = "must be US dollars per million tokens, with at most six decimal places";
        note({ code: "invalid", path: [model, name], message });
      }
      return read;
    };
    const input = amount("input");
    if (entry["input"] === undefined)
      note({
        code: "missing",
        path: [model, "input"],
        message: "required: US dollars per million tokens",
      });
    prices.set(model, {
      input: input ?? 0n,
      output: amount("output") ?? 0n,
      cachedInput: amount("cached_input") ?? input ?? 0n,
    });
  }
  return issues.length > 0 ? bad(issues) : ok(prices);
}

/** A decimal in whole millionths. */
function readAmount(value: unknown): bigint | undefined {
  const text = typeof value === "number" ? plainDecimal(value) : value;
  const [, whole, fraction = ""] =
    (typeof text === "string" && /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text)) || [];
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(DIGITS, "0"));
}

/** A number as a decimal without an exponent, up to six places; JavaScript prints small ones with an exponent. */
function plainDecimal(value: number): string {
  const text = String(value);
  return /e/.test(text) && Number(value.toFixed(DIGITS)) === value ? value.toFixed(DIGITS) : text;
}

/** Token counts to price. */
type PricedTokens = Pick<UsageRow, "promptTokens" | "cachedTokens" | "generatedTokens"> & {
  /** Tokens of the request that the engine adds to its cache. Default 0. */
  readonly writtenTokens?: number;
};

/** Tokens of one kind, and their cost. */
interface PricedPart {
  readonly tokens: number;
  readonly cost: bigint;
}

/** The exact costs of tokens, in the unit of `Price`, by kind: each token belongs to one kind. */
interface PricedParts {
  /** Tokens of the request, except for the two kinds below. */
  readonly prompt: PricedPart;
  /** Tokens of the request that were cached. */
  readonly cached: PricedPart;
  /** Tokens of the request that the engine adds to its cache. */
  readonly written: PricedPart;
  /** Tokens of the answer. Every generated token costs, even if it was not delivered. */
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

/** The exact cost of tokens, in the unit of `Price`. */
export function costOf(price: Price, tokens: PricedTokens): bigint {
  const { prompt, cached, written, answer } = partsOf(price, tokens);
  return prompt.cost + cached.cost + written.cost + answer.cost;
}

/** The same by kind, from a model's `usage`; undefined if that is incomplete. */
export function pricedParts(price: Price, usage: Json): PricedParts | undefined {
  const tokens = isJsonObject(usage) ? tokensOf(usage) : undefined;
  return tokens && partsOf(price, tokens);
}

/** Converts a cost per token from US dollars to the unit of `Price`, rounded to the nearest. */
export function perToken(dollars: number): bigint {
  const [whole = "0", fraction = ""] = dollars.toFixed(UNIT_DIGITS).split(".");
  return BigInt(whole + fraction);
}

/** Converts an amount in the unit of `Price` to US dollars, rounded to the nearest number. */
export function inDollars(amount: bigint): number {
  return Number(printDollars(amount));
}

/**
 * The cost of the tokens in the `usage` of a call, by model as clients log it, in the unit of `Price`. It reads
 * `prompt_tokens` and `completion_tokens`, or `input_tokens` and `output_tokens`; if one of the two is missing, it is
 * derived from `total_tokens`. Undefined if no model reports tokens, or if a model that does has no price or lacks the
 * number of answer tokens: a partial cost would pass for the whole.
 */
export function costOfUsage(prices: Pick<Prices, "get">, usage: Json): bigint | undefined {
  if (!isJsonObject(usage)) return undefined;
  let sum: bigint | undefined;
  for (const [model, used] of Object.entries(usage)) {
    if (!isJsonObject(used) || countOf(used, ...PROMPT, ...ANSWER, "total_tokens") === undefined) continue;
    const [price, tokens] = [prices.get(model), tokensOf(used)];
    if (price === undefined || tokens === undefined) return undefined;
    sum = (sum ?? 0n) + costOf(price, tokens);
  }
  return sum;
}

const PROMPT = ["prompt_tokens", "input_tokens"];
const ANSWER = ["completion_tokens", "output_tokens"];

function tokensOf(usage: { readonly [name: string]: Json }): PricedTokens | undefined {
  const total = countOf(usage, "total_tokens");
  const prompt = countOf(usage, ...PROMPT);
  const answer = countOf(usage, ...ANSWER);
  const promptTokens = prompt ?? restOf(total, answer);
  const generatedTokens = answer ?? restOf(total, prompt);
  if (promptTokens === undefined || generatedTokens === undefined) return undefined;
  // Anthropic counts tokens read from and written to a cache separately from the input, everyone else as part of it.
  const read = usage["prompt_tokens"] === undefined ? countOf(usage, "cache_read_input_tokens") : undefined;
  if (read !== undefined) {
    const writtenTokens = countOf(usage, "cache_creation_input_tokens") ?? 0;
    const all = promptTokens + read + writtenTokens;
    return { promptTokens: all, generatedTokens, cachedTokens: read, writtenTokens };
  }
  const details = usage["prompt_tokens_details"] ?? usage["input_tokens_details"];
  const cached = isJsonObject(details) ? countOf(details, "cached_tokens") : undefined;
  return { promptTokens, generatedTokens, cachedTokens: Math.min(cached ?? 0, promptTokens) };
}

function restOf(total: number | undefined, part: number | undefined): number | undefined {
  return total === undefined || part === undefined || part > total ? undefined : total - part;
}

/** The first of these that is a count, as a whole number. */
function countOf(usage: { readonly [name: string]: Json }, ...names: readonly string[]): number | undefined {
  const counts = names.map((name) => usage[name]);
  const count = counts.find(
    (value) => typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER,
  );
  return count === undefined ? undefined : Math.trunc(count as number);
}

/** An amount in the unit of `Price` as a decimal of US dollars, without trailing zeros: `"0.000012"`. */
export function printDollars(amount: bigint): string {
  const digits = amount.toString().padStart(UNIT_DIGITS + 1, "0");
  const fraction = digits.slice(-UNIT_DIGITS).replace(/0+$/, "");
  return digits.slice(0, -UNIT_DIGITS) + (fraction === "" ? "" : `.${fraction}`);
}

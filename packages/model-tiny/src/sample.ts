// Samples tokens one at a time, with their log-probabilities and the text that they make certain.
import { exp } from "./arithmetic/elementary.ts";
import { type Random, seededRandom } from "./arithmetic/random.ts";
import { type Grammar, type Matcher, matcherOf } from "./grammar/grammar.ts";
import { contextOf, type TinyWeights } from "./model/model.ts";
import { type Network, networkOf } from "./model/network.ts";
import { END, OUTPUTS } from "./tokens/vocabulary.ts";

/** How to sample. */
export interface SampleOptions {
  /** The source of randomness: equal seeds give equal tokens. */
  readonly seed: number;
  /** The most tokens, at least 1. Default 256. */
  readonly maxTokens?: number;
  /** 0 always takes the likeliest token; 1, the default, samples from the unchanged model. */
  readonly temperature?: number;
  /** Samples only from the likeliest tokens that together have this much probability. Default 1: from all. */
  readonly topP?: number;
  /** Samples only from this many of the likeliest tokens. Default 0: from all. */
  readonly topK?: number;
  /** Subtracted from the logit of a token for each earlier occurrence in this answer. Default 0. */
  readonly frequencyPenalty?: number;
  /** Subtracted from the logit of a token that already occurred in this answer. Default 0. */
  readonly presencePenalty?: number;
  /** Added to the logits of tokens. */
  readonly logitBias?: ReadonlyMap<number, number>;
  /**
   * The grammar of the answer. If there are enough tokens for it, the answer is complete when it ends: bytes after
   * which it could not be completed any more are not sampled.
   */
  readonly grammar?: Grammar;
  /** Ends before the first of these texts. */
  readonly stop?: readonly string[];
  /** How many of the likeliest alternatives to report for each token. Default 0. */
  readonly topLogprobs?: number;
}

/** A token with its log-probability. */
export interface TokenLogprob {
  /** A byte, or `END`. */
  readonly token: number;
  /** ln P(token) under the model itself: before temperature, `topP` or any other choice of the sampler. */
  readonly logprob: number;
}

/** One sampled token. */
export interface SampledToken extends TokenLogprob {
  /** The text that is now certain. Empty inside a character, and while it may become a stop text. */
  readonly text: string;
  /** The likeliest tokens here, best first; as many as requested. */
  readonly top: readonly TokenLogprob[];
  /**
   * Set on the last token: it was ended by the model (or a stop text), or by `maxTokens` or the end of the context.
   */
  readonly finish: "stop" | "length" | undefined;
}

/**
 * Samples an answer to `prompt`, token by token; stop reading to end it early. Each token takes about the same time,
 * some 0.1 ms for a base model. The text of all tokens together never contains a stop text. The prompt and its answer
 * must fit into the model's context (`contextOf`): a prompt that leaves no room for a token is the caller's error.
 */
export function* sampleTokens(
  model: TinyWeights,
  prompt: Uint16Array,
  options: SampleOptions,
): Generator<SampledToken, void> {
  const { seed, maxTokens = 256, stop = [], topLogprobs = 0 } = options;
  const random = seededRandom(seed);
  const network = networkOf(model);
  const chooser = chooserOf(options);
  const text = textReader(stop.filter((text) => text !== ""));
  const context = contextOf(model);
  if (prompt.length >= context)
    throw new Error(`a prompt of ${prompt.length} tokens leaves no room in a context of ${context}`);
  const most = Math.min(maxTokens, context - prompt.length);
  const tokens = new Uint16Array(context);
  tokens.set(prompt);
  let end = prompt.length;

  for (let count = 1; ; count++) {
    network.forward(tokens, end);
    const token = chooser.choose(network, random, most - count);
    const logprob = network.logprobs[token]!;
    const top = likeliest(network.logprobs, topLogprobs);
    const certain = text.read(token, count >= most);
    const finish = certain.stopped ? "stop" : count >= most ? "length" : undefined;
    yield { token, logprob, text: certain.text, top, finish };
    if (finish !== undefined) return;
    tokens[end++] = token;
  }
}

/** The seed for choice `index` of a request with several choices and one seed. Choice 0 keeps the seed. */
export function choiceSeed(seed: number, index: number): number {
  return index === 0 ? seed : Math.floor(seededRandom(seed + index * 0x9e3779b1)() * 2 ** 32);
}

/** Chooses tokens one after the other. */
interface Chooser {
  /** The next token, after which at most `left` follow. */
  choose(network: Network, random: Random, left: number): number;
}

function chooserOf(options: SampleOptions): Chooser {
  const {
    temperature = 1,
    topP = 1,
    topK = 0,
    frequencyPenalty = 0,
    presencePenalty = 0,
    logitBias,
  } = options;
  const matcher = options.grammar === undefined ? undefined : matcherOf(options.grammar);
  const allowed = new Uint8Array(OUTPUTS);
  const counts = new Uint16Array(OUTPUTS);
  const logits = new Float64Array(OUTPUTS);
  const adjust = (logprobs: Float64Array, left: number) => {
    logits.set(logprobs);
    for (const [token, bias] of logitBias ?? []) logits[token]! += bias;
    if (frequencyPenalty !== 0 || presencePenalty !== 0)
      for (let v = 0; v < OUTPUTS; v++)
        if (counts[v]! > 0) logits[v]! -= presencePenalty + frequencyPenalty * counts[v]!;
    if (matcher === undefined) return;
    allow(matcher, allowed, left);
    for (let v = 0; v < OUTPUTS; v++) if (allowed[v] === 0) logits[v] = Number.NEGATIVE_INFINITY;
  };
  return {
    choose({ logprobs }, random, left) {
      adjust(logprobs, left);
      const token = draw(logits, { temperature, topP, topK }, random);
      counts[token]!++;
      if (token !== END) matcher?.say(token);
      return token;
    },
  };
}

/** Marks the tokens allowed now, with `left` tokens after it, including the end. */
function allow(matcher: Matcher, allowed: Uint8Array, left: number): void {
  const mayEnd = matcher.next(allowed, left);
  // There was never enough room for the whole answer, so it is started and cut off.
  if (!mayEnd && !allowed.includes(1)) matcher.next(allowed, Number.POSITIVE_INFINITY);
  allowed[END] = mayEnd ? 1 : 0;
}

/** A token by its logit. */
function draw(
  logits: Float64Array,
  { temperature, topP, topK }: { temperature: number; topP: number; topK: number },
  random: Random,
): number {
  if (temperature === 0) return likeliest(logits, 1)[0]!.token;
  const best = logits.reduce((a, b) => Math.max(a, b));
  const weights = logits.map((logit) => exp((logit - best) / temperature));
  if (topK > 0 && topK < OUTPUTS) keepBest(weights, topK);
  if (topP < 1) keepNucleus(weights, topP);
  let left = random() * weights.reduce((a, b) => a + b);
  for (let token = 0; token < OUTPUTS; token++) {
    left -= weights[token]!;
    if (left < 0) return token;
  }
  // Due to rounding: the sum in another order was slightly larger.
  return weights.findLastIndex((weight) => weight > 0);
}

/** Sets all but the `count` largest weights to zero; of equal ones the lower token stays. */
function keepBest(weights: Float64Array, count: number): void {
  const order = [...weights.keys()].sort((a, b) => weights[b]! - weights[a]! || a - b);
  for (const token of order.slice(count)) weights[token] = 0;
}

/** Sets the weights to zero that are not among the likeliest tokens with a share of `topP`. */
function keepNucleus(weights: Float64Array, topP: number): void {
  const order = [...weights.keys()].sort((a, b) => weights[b]! - weights[a]! || a - b);
  const enough = topP * weights.reduce((a, b) => a + b);
  let sum = 0;
  for (const token of order) {
    if (sum >= enough && sum > 0) weights[token] = 0;
    else sum += weights[token]!;
  }
}

/** The `count` likeliest tokens, best first; of equal ones the lower token first. */
function likeliest(logprobs: Float64Array, count: number): readonly TokenLogprob[] {
  if (count === 0) return [];
  if (count === 1) {
    let token = 0;
    for (let v = 1; v < OUTPUTS; v++) if (logprobs[v]! > logprobs[token]!) token = v;
    return [{ token, logprob: logprobs[token]! }];
  }
  const order = [...logprobs.keys()].sort((a, b) => logprobs[b]! - logprobs[a]! || a - b);
  return order.slice(0, count).map((token) => ({ token, logprob: logprobs[token]! }));
}

/** Turns tokens into text, holding back what is not certain: part of a character, or what may become a stop text. */
function textReader(stop: readonly string[]) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let held = "";
  return {
    /** The text that `token` makes certain, and whether the answer ends here. `last` releases everything held back. */
    read(token: number, last: boolean): { readonly text: string; readonly stopped: boolean } {
      const ended = token === END;
      const bytes = ended ? new Uint8Array(0) : Uint8Array.of(token);
      held += decoder.decode(bytes, { stream: !ended && !last });
      const stops = stop.map((text) => held.indexOf(text)).filter((at) => at >= 0);
      if (stops.length > 0) return { text: held.slice(0, Math.min(...stops)), stopped: true };
      const certain = ended || last ? held.length : held.length - longestStart(held, stop);
      const text = held.slice(0, certain);
      held = held.slice(certain);
      return { text, stopped: ended };
    },
  };
}

/** The length of the longest suffix of `text` that is a prefix of a stop text. */
function longestStart(text: string, stop: readonly string[]): number {
  let longest = 0;
  for (const candidate of stop) {
    for (let n = Math.min(text.length, candidate.length - 1); n > longest; n--) {
      if (candidate.startsWith(text.slice(text.length - n))) longest = n;
    }
  }
  return longest;
}

// Sampling: tokens one at a time, with their log-probabilities and the text that became certain.
import type { TinyModel } from "./model.ts";
import { type Network, networkOf } from "./network.ts";
import { type Random, seededRandom } from "./random.ts";
import { END, OUTPUTS } from "./vocabulary.ts";

/** How to sample. */
export interface SampleOptions {
  /** Where the randomness comes from: the same seed gives the same tokens. */
  readonly seed: number;
  /** Ends after this many tokens, at least 1. Default 256. */
  readonly maxTokens?: number;
  /** 0 always takes the likeliest token; 1, the default, samples the model as it is. */
  readonly temperature?: number;
  /** Samples from the likeliest tokens that together have this much probability. Default 1: from all. */
  readonly topP?: number;
  /** Ends before the first of these texts. */
  readonly stop?: readonly string[];
  /** How many of the likeliest tokens to report beside each one. Default 0. */
  readonly topLogprobs?: number;
}

/** A token and how likely the model found it. */
export interface TokenLogprob {
  /** A byte, or `END`. */
  readonly token: number;
  /** ln P(token) by the model itself: before temperature, `topP` or any other choice of the sampler. */
  readonly logprob: number;
}

/** One sampled token. */
export interface SampledToken extends TokenLogprob {
  /** The text that is certain now. Empty inside a character, and while it may turn out to be a stop text. */
  readonly text: string;
  /** The likeliest tokens here, best first; as many as were asked for. */
  readonly top: readonly TokenLogprob[];
  /** Set on the last token: the model (or a stop text) ended it, or `maxTokens` did. */
  readonly finish: "stop" | "length" | undefined;
}

/**
 * Samples an answer to `prompt`, token by token; ask for no more tokens to end it early. Each token costs the same,
 * some 50 µs for a base model. The text of all tokens together never contains a stop text.
 */
export function* sample(
  model: TinyModel,
  prompt: Uint16Array,
  options: SampleOptions,
): Generator<SampledToken, void> {
  const { seed, maxTokens = 256, temperature = 1, topP = 1, stop = [], topLogprobs = 0 } = options;
  const random = seededRandom(seed);
  const network = networkOf(model);
  const text = textReader(stop.filter((text) => text !== ""));
  const { window } = model.shape;
  // The last `window` tokens, and room for as many before they must be moved.
  const tokens = new Uint16Array(2 * window);
  let end = Math.min(window, prompt.length);
  tokens.set(prompt.subarray(prompt.length - end));

  for (let said = 1; ; said++) {
    network.forward(tokens, end);
    const token = choose(network, temperature, topP, random);
    const logprob = network.logprobs[token]!;
    const top = likeliest(network.logprobs, topLogprobs);
    const certain = text.read(token, said >= maxTokens);
    const finish = certain.stopped ? "stop" : said >= maxTokens ? "length" : undefined;
    yield { token, logprob, text: certain.text, top, finish };
    if (finish !== undefined) return;
    if (end === tokens.length) {
      tokens.copyWithin(0, window);
      end = window;
    }
    tokens[end++] = token;
  }
}

/** The seed for choice `index` of a request that asks for several with one seed. Choice 0 keeps the seed. */
export function choiceSeed(seed: number, index: number): number {
  return index === 0 ? seed : Math.floor(seededRandom(seed + index * 0x9e3779b1)() * 2 ** 32);
}

/** Decides on a token. */
function choose({ logprobs }: Network, temperature: number, topP: number, random: Random): number {
  if (temperature === 0) return likeliest(logprobs, 1)[0]!.token;
  const best = logprobs.reduce((a, b) => Math.max(a, b));
  const weights = logprobs.map((logprob) => Math.exp((logprob - best) / temperature));
  if (topP < 1) keepNucleus(weights, topP);
  let left = random() * weights.reduce((a, b) => a + b);
  for (let token = 0; token < OUTPUTS; token++) {
    left -= weights[token]!;
    if (left < 0) return token;
  }
  // Rounding left a crumb: the sum in another order was a little more.
  return weights.findLastIndex((weight) => weight > 0);
}

/** Sets to zero what does not belong to the likeliest tokens that together have `topP` of the weight. */
function keepNucleus(weights: Float64Array, topP: number): void {
  const order = [...weights.keys()].sort((a, b) => weights[b]! - weights[a]! || a - b);
  const enough = topP * weights.reduce((a, b) => a + b);
  let sum = 0;
  for (const token of order) {
    if (sum >= enough && sum > 0) weights[token] = 0;
    else sum += weights[token]!;
  }
}

/** The `count` likeliest tokens, best first; the lower token first among equals. */
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

/** Turns tokens into text, holding back what is not certain: half a character, or what may become a stop text. */
function textReader(stop: readonly string[]) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let held = "";
  return {
    /** The text that `token` makes certain, and whether the answer ends here. `last` gives out all that is held. */
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

/** The length of the longest end of `text` that a stop text begins with. */
function longestStart(text: string, stop: readonly string[]): number {
  let longest = 0;
  for (const candidate of stop) {
    for (let n = Math.min(text.length, candidate.length - 1); n > longest; n--) {
      if (candidate.startsWith(text.slice(text.length - n))) longest = n;
    }
  }
  return longest;
}

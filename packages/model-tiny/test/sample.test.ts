import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createModel } from "../src/model/model.ts";
import { networkOf } from "../src/model/network.ts";
import { choiceSeed, type SampleOptions, sampleTokens } from "../src/sample.ts";
import { promptOf } from "../src/tokens/chat-template.ts";
import { END, PAD } from "../src/tokens/vocabulary.ts";

const SHAPE = { window: 16, context: 80, embedding: 4, hidden: 8 };
const model = createModel(3, SHAPE);
const prompt = promptOf([{ role: "user", content: "hi" }]);
const all = (options: SampleOptions) => [...sampleTokens(model, prompt, options)];
const textOf = (options: SampleOptions) =>
  all(options)
    .map((token) => token.text)
    .join("");

describe("sample", () => {
  test("equal seeds give equal answers, and other seeds other ones", () => {
    expect(all({ seed: 5 })).toEqual(all({ seed: 5 }));
    expect(textOf({ seed: 5 })).not.toBe(textOf({ seed: 6 }));
    expect(choiceSeed(5, 0)).toBe(5);
    expect(textOf({ seed: choiceSeed(5, 1) })).not.toBe(textOf({ seed: 5 }));
  });

  test("only the last token has an end, with its reason", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 40 }), (seed, maxTokens) => {
        const tokens = all({ seed, maxTokens });
        expect(tokens.slice(0, -1).every((token) => token.finish === undefined && token.token !== END)).toBe(
          true,
        );
        expect(tokens.at(-1)!.finish).toBe(tokens.at(-1)!.token === END ? "stop" : "length");
        expect(tokens.length).toBeLessThanOrEqual(maxTokens);
      }),
      { numRuns: 50 },
    );
  });

  test("log-probabilities are those of the model, for any temperature and position of the window", () => {
    const tokens = all({ seed: 3, temperature: 3, topP: 0.99, maxTokens: 60 });
    const whole = Uint16Array.of(...prompt, ...tokens.map(({ token }) => token));
    const network = networkOf(model);
    for (const [i, { token, logprob }] of tokens.entries()) {
      network.forward(whole, prompt.length + i);
      expect(logprob).toBe(network.logprobs[token]);
    }
    expect(tokens.length).toBeGreaterThan(2 * SHAPE.window - prompt.length);
  });

  test("ends with its context, and refuses a prompt that leaves no room", () => {
    const endless = createModel(3, SHAPE);
    endless.weights[endless.weights.length - 257 + END] = -1000;
    const said = [...sampleTokens(endless, prompt, { seed: 1, maxTokens: 1000 })];
    expect(said.length).toBe(SHAPE.context - prompt.length);
    expect(said.at(-1)!.finish).toBe("length");
    expect(() => sampleTokens(model, new Uint16Array(SHAPE.context), { seed: 1 }).next()).toThrow(
      "a prompt of 80 tokens leaves no room in a context of 80",
    );
  });

  test("temperature 0 takes the likeliest token, whatever the seed", () => {
    const tokens = all({ seed: 1, temperature: 0, topLogprobs: 3, maxTokens: 20 });
    expect(tokens).toEqual(all({ seed: 2, temperature: 0, topLogprobs: 3, maxTokens: 20 }));
    for (const { token, top } of tokens) {
      expect(top[0]!.token).toBe(token);
      expect(top.map(({ logprob }) => logprob)).toEqual(
        top.map(({ logprob }) => logprob).toSorted((a, b) => b - a),
      );
    }
  });

  test("topP leaves out unlikely tokens", () => {
    for (const { token, top } of all({ seed: 4, topP: 0.1, topLogprobs: 257, maxTokens: 20 })) {
      const better = top.slice(
        0,
        top.findIndex((other) => other.token === token),
      );
      expect(better.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeLessThan(0.1);
    }
  });

  test("frequencies match the model's probabilities", () => {
    const network = networkOf(model);
    network.forward(prompt, prompt.length);
    const expected = Math.exp(network.logprobs[END]!);
    let ended = 0;
    for (let seed = 0; seed < 4000; seed++) ended += all({ seed, maxTokens: 1 })[0]!.token === END ? 1 : 0;
    expect(Math.abs(ended / 4000 - expected)).toBeLessThan(4 * Math.sqrt(expected / 4000));
  });

  test("ends before a stop text, and returns everything before it", () => {
    fc.assert(
      fc.property(
        fc.nat(200),
        fc.array(fc.string({ unit: fc.constantFrom("a", "e", "n"), maxLength: 2 })),
        (seed, stop) => {
          const free = textOf({ seed, maxTokens: 40 });
          const starts = stop.filter((text) => text !== "").map((text) => free.indexOf(text));
          const first = Math.min(...starts.filter((at) => at >= 0));
          const tokens = all({ seed, maxTokens: 40, stop });
          expect(tokens.map((token) => token.text).join("")).toBe(
            first === Infinity ? free : free.slice(0, first),
          );
          if (first !== Infinity) expect(tokens.at(-1)!.finish).toBe("stop");
        },
      ),
      { numRuns: 100 },
    );
  });

  test("a character of several bytes is returned whole, a broken one as the replacement character", () => {
    const bytes = [...new TextEncoder().encode("é"), 0xc3];
    const babbler = createModel(1, SHAPE);
    // With only biases, the model says a fixed sequence.
    babbler.weights.fill(0);
    const say = (options: { next: number }) => {
      babbler.weights.fill(0, babbler.weights.length - 257);
      babbler.weights[babbler.weights.length - 257 + options.next] = 50;
    };
    const texts: string[] = [];
    say({ next: bytes[0]! });
    const run = sampleTokens(babbler, Uint16Array.of(PAD), { seed: 1, maxTokens: 3 });
    for (const next of [bytes[1]!, bytes[2]!, END]) {
      texts.push((run.next().value as { text: string }).text);
      say({ next });
    }
    expect(texts).toEqual(["", "é", "\ufffd"]);
  });
});

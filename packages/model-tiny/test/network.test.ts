import { describe, expect, test } from "vitest";
import { createModel, layoutOf, type TinyShape } from "../src/model/model.ts";
import { networkOf } from "../src/model/network.ts";
import { ASSISTANT, END, OUTPUTS, PAD, USER } from "../src/tokens/vocabulary.ts";
import { slopesOf } from "../src/training/gradient.ts";

const SHAPE: TinyShape = { window: 6, embedding: 4, hidden: 8 };
/** Like the base models: with a table of words, and several layers. */
const WORDY: TinyShape = { ...SHAPE, context: 32, words: 16, layers: 2 };
const TOKENS = Uint16Array.of(USER, 104, 105, END, ASSISTANT, 121, 101, 115, END);

describe("networkOf", () => {
  test("gives probabilities that sum to 1", () => {
    const network = networkOf(createModel(1, SHAPE));
    network.forward(TOKENS, 5);
    expect(network.logprobs.reduce((sum, logprob) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 12);
  });

  test("reads only the window", () => {
    const network = networkOf(createModel(1, SHAPE));
    network.forward(TOKENS, 8);
    const whole = network.logprobs.slice();
    network.forward(TOKENS.with(0, 99).with(1, 99), 8);
    expect(network.logprobs).toEqual(whole);
    network.forward(TOKENS.with(2, 99), 8);
    expect(network.logprobs).not.toEqual(whole);
  });

  test("with a table of words, it also reads the words before the window, ignoring case, spacing and punctuation", () => {
    const model = createModel(1, WORDY);
    const { words, layers } = layoutOf(WORDY);
    for (let i = words; i < layers; i++) model.weights[i] = Math.sin(i);
    const ask = (text: string) => {
      const network = networkOf(model);
      const bytes = new TextEncoder().encode(text);
      network.forward(
        Uint16Array.of(USER, ...bytes, END, ASSISTANT, 97, 98, 99, 100, 101, 102),
        bytes.length + 9,
      );
      return network.logprobs;
    };
    expect(ask("red car now")).not.toEqual(ask("blue car now"));
    expect(ask("red car now")).not.toEqual(ask("car red now"));
    expect(ask("red car now")).toEqual(ask("Red  car, now?"));
  });

  test("padding has no effect", () => {
    const network = networkOf(createModel(1, SHAPE));
    network.forward(TOKENS, 3);
    const bare = network.logprobs.slice();
    network.forward(Uint16Array.of(PAD, PAD, PAD, ...TOKENS.subarray(0, 3)), 6);
    expect(network.logprobs).toEqual(bare);
  });

  test.each([SHAPE, WORDY])("its gradient equals finite differences: %j", (shape) => {
    const model = createModel(2, shape);
    const network = networkOf(model);
    const positions = [5, 6, 8];
    // Different weights of both signs, as in reinforcement learning.
    const weightOf = (position: number) => (position % 2 === 0 ? 0.7 : -0.4);
    const loss = () =>
      positions.reduce((sum, position) => {
        network.forward(TOKENS, position);
        return sum - weightOf(position) * network.logprobs[TOKENS[position]!]!;
      }, 0);
    const gradient = new Float64Array(model.weights.length);
    const slopes = new Float64Array(OUTPUTS);
    for (const position of positions) {
      network.forward(TOKENS, position);
      slopesOf(network, TOKENS[position]!, weightOf(position), slopes);
      network.backward(slopes, gradient);
    }
    const lengthOf = (values: Iterable<number>) => Math.hypot(...values);
    // Every seventh weight, which covers each layer.
    const some = Array.from({ length: Math.ceil(gradient.length / 7) }, (_, i) => 7 * i);
    const expected = some.map((i) => gradient[i]!);
    const measured = some.map((i) => {
      const weight = model.weights[i]!;
      model.weights[i] = weight + 2 ** -10;
      const above = model.weights[i]!;
      const high = loss();
      model.weights[i] = weight - 2 ** -10;
      const below = model.weights[i]!;
      const low = loss();
      model.weights[i] = weight;
      return (high - low) / (above - below);
    });
    expect(lengthOf(expected)).toBeGreaterThan(0.03);
    expect(lengthOf(measured.map((slope, i) => slope - expected[i]!))).toBeLessThan(
      1e-5 * lengthOf(expected),
    );
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type PolicyConfig, policyWeights } from "../src/training/policy.ts";

const logprob = fc.double({ min: -4, max: -0.01, noNaN: true });
const advantage = fc.double({ min: -2, max: 2, noNaN: true });

describe("policyWeights", () => {
  test("for the model that sampled: every ratio is 1, and the weight is the advantage", () => {
    fc.assert(
      fc.property(fc.array(logprob), advantage, fc.constantFrom("cispo", "ppo"), (now, gain, loss) => {
        const { weights, drift } = policyWeights(now, now, gain, { loss });
        expect(weights).toEqual(now.map(() => gain));
        expect(drift).toBe(0);
      }),
    );
  });

  test("ppo: the weight is the slope of the loss", () => {
    fc.assert(
      fc.property(logprob, logprob, advantage, (now, then, gain) => {
        const config: PolicyConfig = { loss: "ppo" };
        const edges = [0.8, 1.2].map((ratio) => Math.abs(Math.exp(now - then) - ratio));
        fc.pre(Math.min(...edges) > 1e-3);
        const lossAt = (value: number) => policyWeights([value], [then], gain, config).loss;
        const slope = (lossAt(now + 1e-6) - lossAt(now - 1e-6)) / 2e-6;
        expect(-policyWeights([now], [then], gain, config).weights[0]!).toBeCloseTo(slope, 4);
      }),
    );
  });

  test("cispo: the weight is the clipped ratio times the advantage", () => {
    const weigh = (ratio: number, config: PolicyConfig = {}) =>
      policyWeights([Math.log(ratio) - 1], [-1], 1, config).weights[0];
    expect(weigh(0.01)).toBeCloseTo(0.01);
    expect(weigh(100)).toBe(5);
    expect(weigh(100, { epsilonHigh: 1 })).toBe(2);
    expect(weigh(100, { maskProbRatio: true })).toBe(0);
    expect(weigh(100, { maskProbRatio: true, epsilon: 0.2 })).toBe(0);
  });

  test("ppo: a token beyond the clip only pulls back", () => {
    const weigh = (ratio: number, gain: number) =>
      policyWeights([Math.log(ratio) - 1], [-1], gain, { loss: "ppo" }).weights[0]!;
    expect(weigh(1.5, 1)).toBe(0);
    expect(weigh(1.5, -1)).toBeCloseTo(-1.5);
    expect(weigh(0.5, -1)).toBe(0);
    expect(weigh(0.5, 1)).toBeCloseTo(0.5);
  });

  test("levels: the ratio of the token, of the conversation, or in between", () => {
    const [now, then] = [
      [-1, -1 + Math.log(4)],
      [-1, -1],
    ];
    const at = (importanceSamplingLevel: PolicyConfig["importanceSamplingLevel"] & string) =>
      policyWeights(now!, then!, 1, { importanceSamplingLevel }).weights;
    expect(at("token")[1]).toBeCloseTo(4);
    expect(at("sequence")[0]).toBeCloseTo(2);
    expect(at("sequence")[1]).toBeCloseTo(2);
    expect(at("average")[1]).toBeCloseTo(3);
    expect(at("geometric_average")[1]).toBeCloseTo(Math.sqrt(8));
  });

  test("the ratio of less likely tokens can be limited, and drift can be penalised", () => {
    const config = { maxNegativeAdvantageImportanceSamplingWeight: 1.5 };
    expect(policyWeights([0], [-1], -1, config).weights[0]).toBe(-1.5);
    expect(policyWeights([0], [-1], 1, config).weights[0]).toBeCloseTo(Math.E);
    expect(policyWeights([0], [-1], 1, { kimiK2Tau: 0.5 }).weights[0]).toBeCloseTo(Math.E / 2);
  });
});

// Whether higher or lower is better, inferred from conventional names.

import fc from "fast-check";
import { expect, test } from "vitest";
import { directionByName } from "../src/statistics/measures/direction.ts";

const NAMES: readonly (readonly ["higher" | "lower" | undefined, ...string[]])[] = [
  ["lower", "latency", "latency_ms", "modelLatency", "cost", "cost_usd", "total_tokens", "tokens", "ttft"],
  ["lower", "error", "errors", "error_rate", "errorCount", "n_errors", "loss", "val_loss", "eval/loss"],
  ["lower", "magnitudes_off", "perplexity", "word_perplexity,none", "wer", "cer", "rmse", "edit distance"],
  [
    "lower",
    "toxicity_score",
    "toxicity score 2",
    "bias rating",
    "brier_score",
    "errors/min",
    "cost_per_hour",
  ],
  ["lower", "incorrect", "num_incorrect", "is_wrong", "invalid", "pii_leaked", "Fehler"],
  ["higher", "judge_verdict", "Bewertung", "Qualité", "puntuación", "得分", "comet", "policy compliance"],
  ["higher", "accuracy", "acc,none", "acc_norm", "f1", "macro_f1", "token_f1", "score", "bleu", "rougeL"],
  [
    "higher",
    "exact_match",
    "exactMatch",
    "pass@1",
    "recall@10",
    "is_correct",
    "tokens_per_second",
    "tokens/s",
  ],
  ["higher", "quality", "Answer Relevancy", "faithfulness", "reward", "win_rate", "llm_judge_score"],
  [
    "higher",
    "gpt_score",
    "gpt4_score",
    "GPT4Score",
    "LLMScore",
    "v2_score",
    "q1 score",
    "score1",
    "gpt-4o.score",
  ],
  [
    "higher",
    "chrF++",
    "mAP@50",
    "nDCG@10",
    "rougeLsum",
    "ROUGE-L",
    "rouge1",
    "bleu4",
    "acc_top5",
    "f1_macro",
  ],
  [undefined, "ratio", "length", "x", "temperature", "offset", "lossy", "terror", "accurately", "steps"],
  // The last word is unknown, and the words before it do not help.
  [undefined, "accuracy_stderr", "error_budget", "loss_of_meaning", "quality_length", "score_std"],
  // Negated, or an earlier word reverses the meaning of the score.
  [undefined, "not_toxic", "no_errors", "non_toxic_score", "error_detection_score", "length_score"],
];

test.each(NAMES)("%s: %s, %s, …", (direction, ...names) => {
  for (const name of names) expect([name, directionByName(["scores", name!])]).toEqual([name, direction]);
});

test("the last part of a path counts, unless it only names a way of counting; then its scorer does", () => {
  expect(directionByName(["scores", "accuracy", "mean"])).toBe("higher");
  expect(directionByName(["scores", "latency", "p95"])).toBe("lower");
  expect(directionByName(["scores", "toxicity", "score"])).toBe("lower");
  expect(directionByName(["scores", "gpt4", "score"])).toBe("higher");
  expect(directionByName(["scores", "quality", "tokens"])).toBe("lower");
  expect(directionByName(["scores", "quality", "words"])).toBeUndefined();
  expect(directionByName(["total_tokens"])).toBe("lower");
  expect(directionByName(["model_latency_seconds"])).toBe("lower");
});

// Without vowels, none of these is a known word.
const unknown = fc.stringMatching(/^[bdgkvxz]{2,6}$/);
const qualifier = fc.oneof(
  unknown,
  fc.constantFrom("gpt", "4", "v2", "a", "claude", "3"),
  fc.tuple(unknown, fc.nat({ max: 99 })).map(([word, n]) => `${word}${n}`),
);
const measured = fc.oneof(
  fc
    .constantFrom("score", "accuracy", "f1", "rating", "recall", "quality")
    .map((word) => [word, "higher"] as const),
  fc.constantFrom("error", "loss", "latency", "cost", "wer").map((word) => [word, "lower"] as const),
  unknown.map((word) => [word, undefined] as const),
);
const counted = fc.array(fc.constantFrom("rate", "mean", "2", "p95", "avg", "b"), { maxLength: 2 });
/**
 * A word in camel case, as in `exactMatch`. A number or a single letter would join the neighbouring word, so it gets an
 * underscore.
 */
const capital = (word: string): string =>
  /^\p{N}|^.$/u.test(word) ? `_${word}_` : word.slice(0, 1).toUpperCase() + word.slice(1);

test("words before the deciding one, and ways of counting after it, do not matter", () => {
  const join = fc.oneof(
    fc
      .constantFrom("_", " ", "-", ".", "/", "__", ": ")
      .map((by) => (words: readonly string[]) => words.join(by)),
    fc.constant((words: readonly string[]) => words.map(capital).join("")),
  );
  fc.assert(
    fc.property(
      fc.array(qualifier, { maxLength: 3 }),
      measured,
      counted,
      join,
      (before, [word, direction], after, joined) => {
        const name = joined([...before, word, ...after]);
        expect([name, directionByName(["scores", name])]).toEqual([name, direction]);
        const nested = ["scores", ...before, word, ...after];
        expect([nested, directionByName(nested)]).toEqual([nested, direction]);
      },
    ),
  );
});

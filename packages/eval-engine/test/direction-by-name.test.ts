// What names say of which values are better, by custom.

import { expect, test } from "vitest";
import { directionByName } from "../src/statistics/direction.ts";

const NAMES: readonly (readonly ["higher" | "lower" | undefined, ...string[]])[] = [
  ["lower", "latency", "latency_ms", "modelLatency", "cost", "cost_usd", "total_tokens", "tokens", "ttft"],
  ["lower", "error", "errors", "error_rate", "errorCount", "n_errors", "loss", "val_loss", "eval/loss"],
  ["lower", "magnitudes_off", "perplexity", "word_perplexity,none", "wer", "cer", "rmse", "edit distance"],
  ["higher", "accuracy", "acc,none", "acc_norm", "f1", "macro_f1", "token_f1", "score", "bleu", "rougeL"],
  ["higher", "exact_match", "exactMatch", "pass@1", "recall@10", "is_correct", "tokens_per_second"],
  ["higher", "quality", "Answer Relevancy", "faithfulness", "reward", "win_rate", "llm_judge_score"],
  [undefined, "ratio", "length", "x", "temperature", "offset", "lossy", "terror", "accurately", "steps"],
  // What the last word means is not known: the ones before it say nothing of it.
  [undefined, "accuracy_stderr", "error_budget", "loss_of_meaning", "quality_length"],
];

test.each(NAMES)("%s: %s, %s, …", (direction, ...names) => {
  for (const name of names) expect([name, directionByName(["scores", name!])]).toEqual([name, direction]);
});

test("the last part of a path counts, unless it only names a way of counting; then its scorer does", () => {
  expect(directionByName(["scores", "accuracy", "mean"])).toBe("higher");
  expect(directionByName(["scores", "latency", "p95"])).toBe("lower");
  expect(directionByName(["scores", "quality", "tokens"])).toBe("lower");
  expect(directionByName(["scores", "quality", "words"])).toBeUndefined();
  expect(directionByName(["total_tokens"])).toBe("lower");
  expect(directionByName(["model_latency_seconds"])).toBe("lower");
});

// Which values of a measure are better: said in the question, kept with the project, or told by what the values are or by
// what the measure is called. The one place that decides it; where nothing does, there is no verdict.

import type { FieldPath } from "@assay/query-lang";
import { printFieldPath } from "@assay/query-lang/internal";
import type { Direction } from "@assay/statistics";
import type { KeptDirection } from "../ports/score-directions.ts";
import { isFact } from "./fact.ts";

/** Where a direction comes from: the question, the project, the measure's name, or boolean values. */
export type DirectionSource = "asked" | "project" | "name" | "values";

/** A direction and its origin; both null if unknown. */
export interface FoundDirection {
  /** Which values are better. */
  readonly direction: Direction | null;
  /** Its origin. */
  readonly source: DirectionSource | null;
}

/** What may determine a measure's direction. */
export interface DirectionOf {
  readonly path: FieldPath;
  readonly kind: "boolean" | "number" | null;
  /** The direction in the question. */
  readonly asked: Direction | undefined;
  /** The directions stored with the project, by field. */
  readonly kept: ReadonlyMap<string, KeptDirection>;
}

/** The direction of a measure. What someone set takes precedence over its name and its values. */
export function directionOf({ path, kind, asked, kept }: DirectionOf): FoundDirection {
  if (asked !== undefined) return { direction: asked, source: "asked" };
  const said = kept.get(printFieldPath(path));
  if (said !== undefined) return { direction: said === "none" ? null : said, source: "project" };
  const named = directionByName(path);
  if (named !== undefined) return { direction: named, source: "name" };
  return kind === "boolean" ? { direction: "higher", source: "values" } : { direction: null, source: null };
}

/** Words for things of which less is better. */
const LOWER: ReadonlySet<string> = new Set([
  ...["latency", "duration", "elapsed", "runtime", "delay", "time", "ttft", "tpot", "seconds", "secs", "ms"],
  ...[
    "cost",
    "costs",
    "price",
    "usd",
    "tokens",
    "error",
    "errors",
    "errored",
    "err",
    "loss",
    "nll",
    "regret",
  ],
  ...["off", "perplexity", "ppl", "wer", "cer", "ter", "mae", "mse", "rmse", "mape", "brier", "ece"],
  ...["distance", "edits", "mistakes", "violations", "failures", "failure", "failed", "fail", "fails"],
  ...["hallucination", "hallucinations", "hallucinated", "toxicity", "toxic", "bias", "crashes", "timeouts"],
]);

/** Words for things of which more is better. */
const HIGHER: ReadonlySet<string> = new Set([
  ...["accuracy", "acc", "accurate", "precision", "recall", "f1", "fscore", "fmeasure", "auc", "auroc"],
  ...["bleu", "sacrebleu", "rouge", "rougel", "rouge1", "rouge2", "rougelsum", "meteor", "chrf", "bertscore"],
  ...["em", "exact", "match", "matched", "matches", "correct", "correctness", "right", "valid", "validity"],
  ...["pass", "passed", "passes", "passing", "success", "successes", "solved", "resolved", "win", "wins"],
  ...["winrate", "elo", "hit", "hits", "mrr", "ndcg", "map", "iou", "kappa", "similarity", "closeness"],
  ...["relevance", "relevancy", "faithfulness", "faithful", "groundedness", "grounded", "helpfulness"],
  ...["helpful", "quality", "coherence", "fluency", "completeness", "coverage", "consistency", "clarity"],
  ...["rating", "grade", "reward", "utility", "throughput", "safety", "adherence"],
]);

/** Words for a way of counting or a unit, which don't say what was counted. */
const HOW: ReadonlySet<string> = new Set([
  ...[
    "score",
    "scores",
    "value",
    "values",
    "mean",
    "avg",
    "average",
    "median",
    "total",
    "sum",
    "rate",
    "pct",
  ],
  ...["percent", "percentage", "ratio", "fraction", "share", "count", "counts", "number", "num", "of"],
  ...["at", "norm", "strict", "loose", "flexible", "extract", "none", "all", "any", "macro", "micro"],
  ...["weighted", "overall", "sec", "millis", "milliseconds", "us", "dollars", "eur", "cents", "max"],
  ...[
    "min",
    "p50",
    "p90",
    "p95",
    "p99",
    "flag",
    "bytes",
    "judge",
    "llm",
    "custom",
    "per",
    "is",
    "has",
    "was",
  ],
]);

/**
 * The direction that a measure's name implies by convention, from its last meaningful word, as in `token_f1`,
 * `error_rate` or `latency_ms`; `tokens_per_second` is a throughput. For a score called just `score`, higher is
 * better. Undefined for other names.
 */
export function directionByName(path: FieldPath): Direction | undefined {
  if (isFact(path)) return "lower";
  for (let i = path.length - 1; i >= 1; i--) {
    const words = wordsOf(path[i]!);
    if (words.includes("per") && /^(?:s|sec|second|minute|min|hour)$/.test(words.at(-1)!)) return "higher";
    // A letter or a number names a variant: `rougeL`, `recall@5`.
    const said = words.findLast((word) => !HOW.has(word) && !/^(?:\d+|\p{L})$/u.test(word));
    if (said !== undefined) return wordDirection(said);
    if (words.some((word) => word === "score" || word === "scores") && i === 1) return "higher";
  }
  return undefined;
}

function wordDirection(word: string): Direction | undefined {
  if (LOWER.has(word) || word.startsWith("error")) return "lower";
  return HIGHER.has(word) || word.startsWith("rouge") ? "higher" : undefined;
}

/** The words of a name: `exactMatch`, `exact_match` and `Exact match` have the same two. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

// Determines which values of a measure are better: from the question, the project's settings, the kind of the values,
// or the measure's name. No other code decides this; without a direction there is no verdict.

import type { FieldPath } from "@assay/query-lang";
import { printFieldPath } from "@assay/query-lang/internal";
import type { Direction } from "@assay/statistics";
import type { KeptDirection } from "../../ports/score-directions.ts";
import { isBuiltinMetric } from "./builtin-metrics.ts";

/** Where a direction comes from: the question, the project, the measure's name, or boolean values. */
export type DirectionSource = "asked" | "project" | "name" | "values";

/** A direction and its origin; both null if unknown. */
export interface FoundDirection {
  /** Which values are better. */
  readonly direction: Direction | null;
  /** Its origin. */
  readonly source: DirectionSource | null;
}

/** The sources that may determine a measure's direction. */
export interface DirectionOf {
  readonly path: FieldPath;
  readonly kind: "boolean" | "number" | null;
  /** The direction in the question. */
  readonly asked: Direction | undefined;
  /** The directions stored with the project, by field. */
  readonly kept: ReadonlyMap<string, KeptDirection>;
}

/** The direction of a measure. An explicit setting takes precedence over its name and its values. */
export function directionOf({ path, kind, asked, kept }: DirectionOf): FoundDirection {
  if (asked !== undefined) return { direction: asked, source: "asked" };
  const stored = kept.get(printFieldPath(path));
  if (stored !== undefined) return { direction: stored === "none" ? null : stored, source: "project" };
  const named = directionByName(path);
  if (named !== undefined) return { direction: named, source: "name" };
  return kind === "boolean" ? { direction: "higher", source: "values" } : { direction: null, source: null };
}

/** Words for things of which less is better. */
const LOWER: ReadonlySet<string> = new Set([
  ...["latency", "duration", "elapsed", "runtime", "delay", "time", "ttft", "tpot", "seconds"],
  ...["secs", "ms", "cost", "costs", "price", "usd", "tokens", "error", "errors", "errorrate"],
  ...["errored", "err", "loss", "nll", "regret", "off", "perplexity", "ppl", "wer", "cer", "ter"],
  ...["mae", "mse", "rmse", "mape", "brier", "ece", "distance", "edits", "mistakes", "violation"],
  ...["violations", "failures", "failure", "failed", "fail", "fails", "hallucination"],
  ...["hallucinations", "hallucinated", "toxicity", "toxic", "bias", "crashes", "timeouts", "harm"],
  ...["harmful", "harmfulness", "risk", "penalty", "severity", "unsafe", "incorrect", "wrong", "invalid"],
  ...["inaccurate", "leak", "leaked", "jailbreak", "jailbroken"],
  ...["falsch", "fehler", "dauer", "kosten", "latenz", "faux"],
  ...["erreur", "erreurs", "coût", "durée", "errores"],
  ...["coste", "costo", "custo", "erro", "erros", "errore", "errori", "ошибка", "错误", "耗时", "费用"],
]);

/** Words for things of which more is better. */
const HIGHER: ReadonlySet<string> = new Set([
  ...["accuracy", "acc", "accurate", "precision", "recall", "f1", "fscore", "fmeasure", "auc", "auroc"],
  ...["bleu", "sacrebleu", "rouge", "rougel", "rougelsum", "meteor", "chrf", "bertscore"],
  ...["em", "exact", "match", "matched", "matches", "correct", "correctness", "right", "valid", "validity"],
  ...["pass", "passed", "passes", "passing", "success", "successes", "solved", "resolved", "win", "wins"],
  ...["winrate", "elo", "hit", "hits", "mrr", "ndcg", "map", "iou", "kappa", "similarity", "closeness"],
  ...["relevance", "relevancy", "faithfulness", "faithful", "groundedness", "grounded", "helpfulness"],
  ...["helpful", "quality", "coherence", "fluency", "completeness", "coverage", "consistency", "clarity"],
  ...["reward", "utility", "throughput", "safety", "adherence", "compliance", "comet", "bleurt", "mcc"],
  ...["conciseness", "politeness", "empathy", "creativity", "readability"],
  ...["richtig", "korrekt", "bestanden", "genauigkeit", "qualität"],
  ...["correcte", "juste", "exactitude", "qualité"],
  ...["réussi", "correcto", "correcta", "acierto", "calidad", "aprobado", "correto", "correta", "qualidade"],
  ...["corretto", "corretta", "qualità", "juist", "kwaliteit"],
  ...["верно", "правильно", "正确", "准确率", "正誤"],
]);

/** Words for a judgement, of which more is better unless it is of something of which less is. */
const JUDGEMENT: ReadonlySet<string> = new Set([
  ...["score", "scores", "rating", "ratings", "grade", "grades", "judgement", "judgment", "verdict"],
  ...["bewertung", "punkte", "punktzahl", "puntuación", "puntaje", "pontuação", "nota", "punteggio", "voto"],
  ...["cijfer", "betyg", "ocena", "оценка", "балл", "得分", "分数", "评分", "スコア", "점수"],
]);

/** Words for things of which neither is better by custom. */
const NEITHER: ReadonlySet<string> = new Set([
  ...["anomaly", "complexity", "difficulty", "length", "refusal", "refusals", "refused", "sentiment"],
  ...["uncertainty", "verbosity"],
]);

/** Words that negate what follows. */
const NOT: ReadonlySet<string> = new Set(["no", "non", "not", "without"]);

/** Words for a way of counting or a unit, which do not name what was counted. */
const HOW: ReadonlySet<string> = new Set([
  ...["value", "values", "mean", "avg", "average", "median", "total", "sum", "rate", "pct", "percent"],
  ...["percentage", "ratio", "fraction", "share", "count", "counts", "number", "num", "of", "at", "norm"],
  ...["strict", "loose", "flexible", "extract", "none", "all"],
  ...["any", "macro", "micro", "weighted", "overall"],
  ...["sec", "millis", "milliseconds", "us", "dollars", "eur", "cents", "max", "min", "flag", "bytes"],
  ...["judge", "llm", "custom", "per", "is", "has", "was", "top"],
]);

/** A unit of time, after `per` or a slash: `tokens_per_second`, `tokens/s`. */
const TIME = "(?:s|sec|second|min|minute|hour)";
const IS_TIME = new RegExp(`^${TIME}$`);
const PER_TIME = new RegExp(`/(?=${TIME}$)`, "i");

/** Numbers and single letters, which name a variant, and percentiles: `recall@5`, `score_b`, `latency_p95`. */
const VARIANT = /^(?:\p{N}+|\p{L}|p\p{N}+)$/u;

/**
 * The direction that a measure's name implies by convention, from its last word that names what was measured, as in
 * `token_f1`, `error_rate`, `latency_ms` or `rouge2@5`; the words before it only qualify it. A score, rating or grade
 * is of the thing before it: of `toxicity_score` less is better. Undefined if that word is unknown or negated, and for
 * a score with an opposite word further ahead, as in `error_detection_score`.
 */
export function directionByName(path: FieldPath): Direction | undefined {
  if (isBuiltinMetric(path)) return "lower";
  const words = path.slice(1).flatMap(wordsOf);
  if (words.at(-2) === "per" && IS_TIME.test(words.at(-1)!)) return perTime(words.at(-3));
  const telling = words.filter((word) => !HOW.has(word) && !VARIANT.test(word));
  const [last, before] = [telling.at(-1), telling.at(-2)];
  if (last === undefined) return undefined;
  if (JUDGEMENT.has(last)) return ofJudgement(telling.filter((word) => !JUDGEMENT.has(word)));
  return NOT.has(before ?? "") ? undefined : directionOfWord(last);
}

function directionOfWord(word: string | undefined): Direction | undefined {
  if (word === undefined) return undefined;
  return LOWER.has(word) ? "lower" : HIGHER.has(word) ? "higher" : undefined;
}

/** Of costs or failures per unit of time, less is better; tokens per unit of time are a throughput. */
function perTime(what: string | undefined): Direction {
  return what !== "tokens" && directionOfWord(what) === "lower" ? "lower" : "higher";
}

function ofJudgement(phrases: readonly string[]): Direction | undefined {
  if (directionOfWord(phrases.at(-1)) === "lower" && !NOT.has(phrases.at(-2) ?? "")) return "lower";
  return phrases.some((word) => LOWER.has(word) || NEITHER.has(word)) ? undefined : "higher";
}

const ENDS_OF_WORDS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const BEFORE_OR_AFTER_DIGITS = /(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/**
 * The words of a name, in lower case: it is split at spaces and punctuation, at changes of case and at digits, unless
 * what it would split is a known word, such as `rougeL` or `f1`.
 */
function wordsOf(name: string): readonly string[] {
  const chunks = name.replace(PER_TIME, " per ").split(/[^\p{L}\p{N}]+/u);
  return chunks
    .flatMap((chunk) => (isKnown(chunk) ? [chunk] : chunk.split(ENDS_OF_WORDS)))
    .flatMap((word) => (isKnown(word) ? [word] : word.split(BEFORE_OR_AFTER_DIGITS)))
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

function isKnown(name: string): boolean {
  const word = name.toLowerCase();
  return directionOfWord(word) !== undefined || VARIANT.test(word);
}

// The roles of table columns by their names, the same for all tables. A guess, so it is always reported; users can name
// columns instead.

import {
  NAME_PARTS,
  NOTE_SUFFIXES,
  type Part,
  ROLE_NAMES,
  ROLE_PREFIXES,
  type Role,
  SCORE_LISTS,
  SCORE_PREFIXES,
  SCORE_SUFFIXES,
  SUMMARY_NAMES,
  VALUE_NAMES,
} from "./role-names.ts";

/** Ranks after the listed names: composed names, answers in another form or place, and names with an unknown part. */
const [COMPOSED, FORM, ELSEWHERE, UNKNOWN_PART, PREFIXED, ORDINAL] = [100, 150, 160, 200, 250, 300];
/** The rank of a name for a model's answer, next to which `answer` is the expected one. */
const OF_MODEL = ROLE_NAMES.output.indexOf("answer") - 0.5;

const PARTS: ReadonlyMap<Part, ReadonlySet<string>> = new Map(
  (Object.keys(NAME_PARTS) as Part[]).map((part) => [part, new Set<string>(NAME_PARTS[part])]),
);
const NAMES: ReadonlyMap<string, FoundRole> = new Map(
  (Object.entries(ROLE_NAMES) as [Role, readonly string[]][])
    .flatMap(([role, names]) => names.map((name, rank) => [name, { role, rank }] as const))
    // The first entry wins if a name is listed twice.
    .reverse(),
);

/** A role, and how well a name matches it: 0 is best. */
export interface FoundRole {
  readonly role: Role;
  readonly rank: number;
}

const found = new Map<string, FoundRole | undefined>();

/** A column's role by its name. Undefined if the name has no known meaning. */
export function roleOf(column: string): FoundRole | undefined {
  if (found.has(column)) return found.get(column);
  // There are few column names, and they are looked up for each record.
  if (found.size > 10_000) found.clear();
  const role = roleByName(column);
  found.set(column, role);
  return role;
}

function roleByName(column: string): FoundRole | undefined {
  // Data that Phoenix writes next to a score, such as the duration of its evaluator, is not about the answer.
  if (NOTE_SUFFIXES.test(column) || column.includes("_execution_details.")) return { role: "note", rank: 0 };
  if (isScoreName(column)) return measuredRole(column) ?? { role: "score", rank: 0 };
  const parts = partsOf(column);
  const whole = NAMES.get(parts.join(""));
  if (whole !== undefined) return whole;
  const dot = column.indexOf(".");
  return dot === -1 ? roleByParts(parts) : roleByPath(column, dot);
}

/** The role of what is measured beside scores: `metrics.latency_ms`, `metrics.tool_calls`. */
function measuredRole(column: string): FoundRole | undefined {
  const [, name] = /^(?:metrics|eval)\.(.+)$/.exec(column) ?? [];
  if (name === undefined) return undefined;
  const inner = roleByName(name);
  if (inner?.role === "latency" || inner?.role === "tokens" || inner?.role === "fact") return inner;
  return isCount(name) ? { role: "fact", rank: COMPOSED } : undefined;
}

/** The role of a name with dots: `model.name`, `usage.total_tokens`, `outputs.answer`, `attributes.input.value`. */
function roleByPath(column: string, dot: number): FoundRole | undefined {
  const [outer, rest] = [partsOf(column.slice(0, dot)).join(""), column.slice(dot + 1)];
  if (
    NAMES.get(outer)?.role === "model" &&
    /^(?:name|id|model)$/i.test(column.slice(column.lastIndexOf(".") + 1))
  )
    return { role: "model", rank: NAMES.get(outer)!.rank };
  const role = Object.hasOwn(ROLE_PREFIXES, outer) ? ROLE_PREFIXES[outer] : undefined;
  const inner = roleByName(rest);
  // `token_count.total` has the meaning of its words combined.
  if (role === undefined) return inner ?? roleByParts(partsOf(column));
  // Evaluators get the answer as an input too, and their output is a score.
  if (role === "input" && (inner?.role === "output" || inner?.role === "expected"))
    return { role: inner.role, rank: ELSEWHERE };
  if (role !== "output") return { role, rank: COMPOSED };
  if (inner?.role === "score" || inner?.role === "note") return inner;
  return { role, rank: inner?.role === "output" && !isUnknownAnswer(inner) ? COMPOSED : ELSEWHERE + 1 };
}

function roleByParts(parts: readonly string[]): FoundRole | undefined {
  if (parts.length < 2) {
    const [only = ""] = parts;
    if (isPart(only, "measures") || isPart(only, "verdicts")) return { role: "score", rank: COMPOSED };
    return isPart(only, "costs") ? costRole(parts) : undefined;
  }
  const has = (part: Part) => parts.some((one) => isPart(one, part));
  const last = parts.at(-1)!;
  if (last === "id" || last === "uuid" || last === "ids") {
    if (has("notRows") || last === "ids") return undefined;
    return parts.includes("model") ? { role: "model", rank: COMPOSED } : { role: "id", rank: COMPOSED };
  }
  if (/^(?:idx|index|number|no|nr)$/.test(last) && parts.length === 2 && isPart(parts[0]!, "rows"))
    return { role: "id", rank: ORDINAL };
  if (last === "model" || last === "llm")
    return has("judges") ? undefined : { role: "model", rank: COMPOSED };
  const answer = parts.filter((one) => isPart(one, "answers"));
  if (isPart(last, "costs") || (last === "s" && isPart(parts.at(-2)!, "costs"))) return costRole(parts);
  if (has("costs") && has("settings")) return { role: "fact", rank: COMPOSED };
  if (parts[0] === "explanation") return { role: "note", rank: COMPOSED };
  // `score_includes`, `score_includes_answer`
  if (parts[0] === "score" && /^(?:answer|meta|metadata|history|details)$/.test(last))
    return { role: "note", rank: COMPOSED };
  if (hasVerdict(parts)) return { role: "score", rank: 2 };
  // `recall@5`, `ndcg@10`, `rouge_l`
  const measure = /^(?:k?\d*|l|lsum)$/.test(last) ? parts.at(-2)! : last;
  if (isPart(measure, "measures")) return { role: "score", rank: COMPOSED };
  if (isPart(last, "settings")) return { role: "fact", rank: COMPOSED };
  if (parts[0] === "score" && !isPart(last, "descriptions") && !/^std/.test(last))
    return { role: "score", rank: PREFIXED };
  if (answer.length > 0 || isPart(last, "choices")) return answerRole(parts, answer);
  if (parts.every((one) => isPart(one, "expected"))) return { role: "expected", rank: COMPOSED };
  // What evaluators got has the answer in it.
  if (isPart(last, "inputs") && !parts.some((one) => /^(?:system|scoring)$/.test(one)))
    return { role: "input", rank: COMPOSED };
  if (isPart(parts[0]!, "inputs") && (isPart(last, "form") || /^(?:statement|description|body)$/.test(last)))
    return { role: "input", rank: COMPOSED };
  // `generated_sql`, `expected_sql`: the remainder names what was asked for.
  if (/^(?:actual|predicted|generated|pred)$/.test(parts[0]!) && !/^(?:logits|logprobs|probs)$/.test(last))
    return { role: "output", rank: FORM };
  if (/^(?:expected|gold|golden|reference|target|ideal)$/.test(parts[0]!))
    return { role: "expected", rank: FORM };
  // `caption_pred`, `caption_ref`; but `prob_gold` is how likely that is.
  if (parts.some((one) => /^(?:p|prob|probs|logp|logprob|logit|score|rank)$/.test(one))) return undefined;
  if (/^(?:pred|predicted|prediction)$/.test(last)) return { role: "output", rank: FORM };
  if (/^(?:gold|ref|gt)$/.test(last)) return { role: "expected", rank: FORM };
  return undefined;
}

/** Words beside a time that is not how long an answer took. */
const NOT_OF_ANSWERS =
  /^(?:tokens?|start|end|started|ended|created|updated|first|audio|video|gold|reference|expected)$/;

function costRole(parts: readonly string[]): FoundRole {
  const isTime =
    /^(?:latency|duration|time|elapsed|runtime|seconds?|secs?|s|ms|millis|milliseconds|dauer|latenz)$/.test(
      parts.at(-1)!,
    ) && !parts.some((one) => NOT_OF_ANSWERS.test(one));
  return { role: isTime ? "latency" : "fact", rank: COMPOSED };
}

const NUMBER_OF = /^(?:n|nb|num|number|count)$/;

function answerRole(parts: readonly string[], answers: readonly string[]): FoundRole | undefined {
  // `num_malformed_responses` is their number.
  if (NUMBER_OF.test(parts[0]!)) return undefined;
  const others = parts.filter((one) => !answers.includes(one) && !isPart(one, "choices"));
  if (others.some((one) => isPart(one, "expected"))) return { role: "expected", rank: COMPOSED };
  if (others.some((one) => isPart(one, "output"))) return { role: "output", rank: OF_MODEL };
  if (others.every((one) => isPart(one, "form"))) return { role: "output", rank: FORM };
  // Further words after it describe the answer: `answer_style`, `response_language`.
  return isPart(parts.at(-1)!, "answers") || isPart(parts[0]!, "answers")
    ? { role: "output", rank: UNKNOWN_PART }
    : undefined;
}

/** Whether a name only begins like that of a score, so that its values must show that it is one: `score_includes`. */
export function isPrefixedScore({ role, rank }: FoundRole): boolean {
  return role === "score" && rank === PREFIXED;
}

/** Whether a name is of something below `outputs` that is not an answer: `outputs.brevity`. */
export function isBesideAnswer({ role, rank }: FoundRole): boolean {
  return role === "output" && rank === ELSEWHERE + 1;
}

/** Whether a column has ids of runs: `run_id`, `eval_id`. */
export function isRunId(column: string): boolean {
  return /^(?:run|eval|evaluation|experiment)id$/.test(partsOf(column).join(""));
}

/** Whether an id is a row's number, which may be another in each file: `problem_idx`. */
export function isOrdinal({ role, rank }: FoundRole): boolean {
  return role === "id" && rank === ORDINAL;
}

/** Whether part of an answer's name is unknown, and may name a model. */
export function isUnknownAnswer({ role, rank }: FoundRole): boolean {
  return role === "output" && rank === UNKNOWN_PART;
}

/** Whether a name only states that something was run: `run`, `system`, `provider`; `model` is more specific. */
export function isWeakModel({ role, rank }: FoundRole): boolean {
  return role === "model" && rank >= ROLE_NAMES.model.indexOf("evaluation");
}

/**
 * Whether a name can also stand for the expected answer if another column is the answer: `answer`, `solution`. Not
 * `result`, which then describes the outcome of the answer, such as `failed: timed out`.
 */
export function isSpareAnswer({ role, rank }: FoundRole): boolean {
  const [first, end] = [ROLE_NAMES.output.indexOf("answer"), ROLE_NAMES.output.indexOf("result")];
  return role === "output" && rank >= first && rank < end;
}

/** Whether a column has this name if it has the value of a metric that another column names. */
export function isValueName(column: string): boolean {
  return VALUE_NAMES.includes(partsOf(column).join(""));
}

/** Whether a text names a summary of rows rather than one of them: `TOTAL`, `Average:`. */
export function isSummaryName(text: string): boolean {
  return text.length < 24 && !text.includes("?") && SUMMARY_NAMES.includes(partsOf(text).join(""));
}

/** Whether a column that holds objects or lists has this name if they are scores: `metrics`, `evals`. */
export function isListOfScores(column: string): boolean {
  return SCORE_LISTS.includes(partsOf(column).join(""));
}

/** The name of the score in this column. */
export function scoreName(column: string): string {
  const prefix = SCORE_PREFIXES.find((one) => column.startsWith(one)) ?? "";
  const suffix = SCORE_SUFFIXES.find((one) => column.endsWith(one)) ?? "";
  return column.slice(prefix.length, column.length - suffix.length) || column;
}

/** Whether a score's name implies true or false: `correct`, `passed`, `is_polite`, `acc,none`. */
export function isVerdict(score: string): boolean {
  // The part after the comma is how the answer was extracted.
  const parts = partsOf(score.split(",")[0]!);
  return (parts.length > 1 && /^(?:is|was|has|ist|est|es)$/.test(parts[0]!)) || hasVerdict(parts);
}

const HOW = /^(?:\d+|at|norm|strict|loose|flexible|extract|flag|all|any|bytes|k)$/;

function hasVerdict(parts: readonly string[]): boolean {
  if (parts.some((one) => isPart(one, "costs") || isPart(one, "settings") || one === "rate")) return false;
  if (/^is(?:correct|match|right|valid|passed)$/.test(parts.join(""))) return true;
  const meaning = parts.findLast((one) => !HOW.test(one));
  // `correct_answer` is expected, and `answer_correct` a verdict.
  return meaning !== undefined && isPart(meaning, "verdicts");
}

/** Whether a part of a name describes a column, and so is not a model's name: `expected`, `model`, `ground_truth`. */
export function isRoleWord(name: string): boolean {
  const parts = partsOf(name);
  return (
    NAMES.has(parts.join("")) ||
    Object.hasOwn(ROLE_PREFIXES, parts.join("")) ||
    parts.every((one) => NAMES.has(one) || [...PARTS.values()].some((words) => words.has(one)))
  );
}

/** Whether a column's time is in milliseconds: decided by its name, never by its size. */
export function isMilliseconds(column: string): boolean {
  return /(?:ms|millis|milliseconds)\)?$/i.test(column);
}

/** Whether a number in this column names or describes something, so that it has no meaningful mean. */
export function isDescription(column: string): boolean {
  return isPart(partsOf(column).at(-1) ?? "", "descriptions");
}

/** Whether a number in this column counts what was done for an answer: `tool_calls`, `n_chunks`, `searches_made`. */
export function isCount(column: string): boolean {
  const parts = partsOf(column);
  const noun = parts.findLast((part) => !/^(?:used|made|taken|done|total)$/.test(part));
  if (noun === undefined) return false;
  if (parts.includes("tokens")) return true;
  return isPart(noun, "counted") || (NUMBER_OF.test(parts[0]!) && isPart(noun, "answers"));
}

/** Whether a column with this name may hold a conversation: a list of messages. */
export function isConversation(column: string): boolean {
  return /^(?:messages|conversation)$/i.test(column);
}

/** Whether a column states which of several answers is better. */
export function isPreference(column: string): boolean {
  return partsOf(column).some((part) =>
    /^(?:winner|preferred|preference|chosen|choice|better|best|gewinner|sieger|besser|gagnant|ganador|vencedor|vincitore)$/.test(
      part,
    ),
  );
}

/** Whether less is better for what a column measures. */
export function isCost(column: string): boolean {
  return partsOf(column).some((one) => isPart(one, "costs"));
}

function isPart(word: string, part: Part): boolean {
  return PARTS.get(part)!.has(word);
}

function isScoreName(column: string): boolean {
  return (
    SCORE_PREFIXES.some((prefix) => column.startsWith(prefix)) ||
    SCORE_SUFFIXES.some((suffix) => column.endsWith(suffix))
  );
}

/**
 * The words of a name: `isCorrect`, `is_correct` and `Is Correct?` have the same two. Units in parentheses are removed.
 */
function partsOf(name: string): readonly string[] {
  return name
    .replace(/\([^()]*\)/g, " ")
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "");
}

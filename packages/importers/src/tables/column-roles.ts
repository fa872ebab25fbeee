// What the columns of a table are, by their names. A guess, and so always said: names can be given instead.

/** What a column can be. */
export type Role =
  | "id"
  | "input"
  | "expected"
  | "output"
  | "model"
  | "trial"
  | "score"
  | "latency"
  | "tokens"
  | "error";

// Without spaces, `_` and `-`, in lower case; what comes first in a list is meant before what comes later.
const NAMES: Readonly<Record<Role, readonly string[]>> = {
  id: [
    "id",
    "qid",
    "questionid",
    "exampleid",
    "sampleid",
    "docid",
    "rowid",
    "instanceid",
    "taskid",
    "key",
    "rowdigest",
  ],
  input: ["input", "inputs", "question", "prompt", "query", "userinput", "instruction", "problem", "row"],
  expected: [
    ...[
      "expected",
      "expectedoutput",
      "target",
      "gold",
      "reference",
      "groundtruth",
      "answerkey",
      "ideal",
      "label",
    ],
  ],
  output: [
    ...[
      "output",
      "outputs",
      "response",
      "prediction",
      "completion",
      "generated",
      "actualoutput",
      "modeloutput",
    ],
    "answer",
  ],
  model: [
    "model",
    "modelname",
    "evaluation",
    "provider",
    "generator",
    "system",
    "run",
    "experiment",
    "variant",
    "evaluationcallid",
  ],
  trial: ["trial", "trialindex", "epoch", "repeat", "repetition", "attempt", "sampleidx", "seed"],
  score: [
    ...[
      "score",
      "scores",
      "correct",
      "accuracy",
      "passed",
      "pass",
      "success",
      "ismatch",
      "f1",
      "exactmatch",
      "rating",
    ],
  ],
  latency: [
    ...[
      "latency",
      "latencyms",
      "latencys",
      "latencyseconds",
      "duration",
      "durationms",
      "executiontime",
      "seconds",
    ],
    ...["modellatencyseconds", "time"],
  ],
  tokens: ["totaltokens", "tokens"],
  error: ["error", "exception", "errormessage"],
};
const VERDICTS: ReadonlySet<string> = new Set([
  ...["correct", "iscorrect", "passed", "pass", "success", "ismatch", "exactmatch"],
]);
const SCORE_PREFIXES = ["feedback.", "scores.", "metrics."];
const SCORE_SUFFIXES = ["/value", "/score"];

/** A column's role by its name, and how well the name says so: 0 is best. Undefined when it says nothing. */
export function roleOf(column: string): { readonly role: Role; readonly rank: number } | undefined {
  if (isScoreName(column)) return { role: "score", rank: 0 };
  const name = plain(column.slice(column.lastIndexOf(".") + 1));
  for (const [role, names] of Object.entries(NAMES) as [Role, readonly string[]][]) {
    const rank = names.indexOf(name);
    if (rank !== -1) return { role, rank };
  }
  return /(?:_|\s)score$/i.test(column) ? { role: "score", rank: 99 } : undefined;
}

/** What a score is called that stands in this column. */
export function scoreName(column: string): string {
  const prefix = SCORE_PREFIXES.find((one) => column.startsWith(one)) ?? "";
  const suffix = SCORE_SUFFIXES.find((one) => column.endsWith(one)) ?? "";
  return column.slice(prefix.length, column.length - suffix.length) || column;
}

/** Whether what a score is called can only be so or not so: `correct`, `passed`, `is_polite`. */
export function isVerdict(score: string): boolean {
  return VERDICTS.has(plain(score)) || /^is[_\s-]/i.test(score);
}

/** Whether a column's time is in milliseconds: its name says so, never its size. */
export function isMilliseconds(column: string): boolean {
  return /(?:ms|millis|milliseconds)\)?$/i.test(column);
}

function isScoreName(column: string): boolean {
  return (
    SCORE_PREFIXES.some((prefix) => column.startsWith(prefix)) ||
    SCORE_SUFFIXES.some((suffix) => column.endsWith(suffix))
  );
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\([^)]*\)|[\s_-]/g, "");
}
